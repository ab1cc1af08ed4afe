# make run starts the daemon here; make test checks everything a change must pass.
.PHONY: run test check-all deps clean

run:
	deploy/deps.sh
	deploy/run.sh

test:
	deploy/deps.sh --tests
	deploy/check.sh

check-all:
	deploy/deps.sh --tests
	deploy/check-all.sh

deps:
	deploy/deps.sh --tests

clean:
	rm -rf .build .build-*
