// For modules that only declare types, or load what is loaded anyway.
export {};
