/** How a part of the app is loaded: `() => import('…')`. */
type Load<Module> = () => Promise<Module>

const modules = new WeakMap<Load<unknown>, unknown>()

/** Loads a part of the app and remembers that it has arrived. */
export async function loadPart<Module>(load: Load<Module>): Promise<Module> {
  const module = await load()
  modules.set(load, module)
  return module
}

/** The part that `load` has loaded, if it has arrived. */
export const arrivedPart = <Module>(load: Load<Module>) => modules.get(load) as Module | undefined
