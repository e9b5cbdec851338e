# Each target runs a script in scripts/ or bench/, which documents it.
.DEFAULT_GOAL := help
.PHONY: help run check test soak conformance bench release

help: ## this list
	@grep -hE '^[a-z]+: ## ' $(MAKEFILE_LIST) | sed 's/: ## /\t/' | expand -t 14

run: ## build everything and start it: the app, the API and PostgreSQL
	@scripts/run.sh

check: ## formatting, lints, types, generated files: everything that needs no server
	@scripts/check.sh

test: ## check, then every test of the project
	@scripts/test.sh

soak: ## the long forms of tests that `make test` runs shortly: an hour and more
	@scripts/soak.sh

conformance: ## the upstream projects' own test suites against this server
	@scripts/conformance.sh
	@scripts/conformance-clients.sh
	@scripts/conformance-storage.sh
	@scripts/conformance-realtime.sh

bench: ## start-up times, memory, request rates, build times
	@bench/first-light.sh
	@bench/rest.sh

release: ## target/release/dugout with the app inside, and a tar with PostgreSQL beside it
	@scripts/release.sh
