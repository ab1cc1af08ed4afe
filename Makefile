# make run starts the daemon here; make test checks everything a change must pass; make install puts
# a service on this machine, make deb into packages.
.PHONY: run demo picture looks bench build install deb test check-all fuzz prove prove-long deps clean

PREFIX ?= /usr/local
# Where `make build` puts the programs, and where those of the packages lie once they are unpacked.
LINKED = $(CURDIR)/.build-deb/linked
PACKAGED = $(CURDIR)/.build-deb/packages/installed/usr/bin

run:
	deploy/deps.sh
	deploy/run.sh

# What stickerd does, in a minute; nothing stays.
demo:
	deploy/deps.sh
	deploy/demo.sh

# The pictures of the README and of docs/stickers.md, made by the programs as they are now.
picture:
	deploy/deps.sh --picture
	deploy/demo.sh docs/stickers.png docs/drop.webp docs/marks.png docs/studio.png

# The pictures in deploy/looks, with which `make test` compares the parts of the console.
looks:
	deploy/deps.sh --tests
	programs=$$(deploy/build.sh daemon,stickerd-console $$(deploy/options.sh)) && python=$$(deploy/browser.sh) && \
	    "$$python" deploy/check-looks.py --renew "$$programs"

# Measures stills and animations, also against other programs, and writes docs/benchmarks.md:
# PICTURES="folder ..." ROUNDS=3.
bench:
	deploy/deps.sh --bench
	deploy/bench.sh $(PICTURES)

build:
	deploy/deps.sh
	binaries=$$(STICKERD_INOTIFYTOOLS=no deploy/build.sh programs $$(deploy/options.sh)) && \
	    deploy/link.py "$$binaries" "$(LINKED)"

install: build
	deploy/install.sh "$(DESTDIR)" "$(PREFIX)" "$(LINKED)"

deb:
	deploy/deps.sh --tests
	deploy/make-deb.sh

test:
	deploy/deps.sh --tests
	deploy/check.sh

check-all:
	deploy/deps.sh --tests
	deploy/deps.sh --firefox
	deploy/deps.sh --fuzz
	deploy/check-all.sh

# Random inputs for everything that reads bytes of strangers; what fails is kept in .build-fuzz/found.
fuzz: SECONDS ?= 600
fuzz:
	deploy/deps.sh --fuzz
	deploy/fuzz/fuzz.sh $(SECONDS)

# Kills, errors, power cuts, hostile files and floods, tried from outside, as root; 45 minutes at
# most. Writes docs/proof.md.
prove: deb
	STICKERD_INOTIFYTOOLS=no swift build -c release --build-tests $$(deploy/options.sh)
	deploy/prove/prove.py --programs "$(PACKAGED)"

# The same at every single call, and an hour of random failures.
prove-long: deb
	STICKERD_INOTIFYTOOLS=no swift build -c release --build-tests $$(deploy/options.sh)
	deploy/prove/prove.py --long --programs "$(PACKAGED)"

deps:
	deploy/deps.sh --tests

clean:
	rm -rf .build .build-*
