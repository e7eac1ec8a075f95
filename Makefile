# The front door. Each target's help is the comment after ##.
SHELL := /bin/bash
.DEFAULT_GOAL := help
# The formatter's check needs Maven itself on JDK 25; without one the other checks run all the same.
JDK25 := $(firstword $(wildcard /usr/lib/jvm/*25*/bin/javac))
MAVEN := $(if $(JDK25),JAVA_HOME=$(patsubst %/bin/javac,%,$(JDK25))) ./mvnw -B
.PHONY: help build up down status test bench bench-maglev bench-install bench-dataplane bench-api chaos soak

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## compile the controller and lbctl (no tests)
	@cluster-compose/build

up: ## start the site: engine, images, three nodes, members; wait until converged; 200 connections to each VIP
	@cluster-compose/up

down: ## remove containers, networks and volumes; stop the engine if we started it (down --images by hand: everything)
	@cluster-compose/down

status: ## what each node runs, from the cluster itself
	@docker exec quorumlb-n1 lbctl cluster status

test: ## everything: unit tests, architecture rules, and the cluster tests with real packets
	@scripts/prepare
	@scripts/lint-api
	QUORUMLB_REQUIRE_OVS=1 QUORUMLB_REQUIRE_BIRD=1 QUORUMLB_REQUIRE_PYTHON=1 QUORUMLB_REQUIRE_NODE=1 $(MAVEN) verify -Pcluster

bench: ## measure the running site: detection, failover, commit to proven
	@chaos/measure

bench-maglev: ## measure how long one slot table takes to build, every size, version and state (about 25 minutes)
	@scripts/bench-maglev

bench-install: ## measure installs and restarts of a private Open vSwitch beside ovs-ofctl, with real packets (as root, three minutes)
	@scripts/bench-install

bench-dataplane: ## measure the data plane beside nginx, haproxy, nft and OVN: connections, packets, bulk (about 15 minutes at rest)
	@scripts/bench-dataplane

bench-api: ## measure the API of the running site: a large site at once, writes with followers, long lists, one flip among 10,000 members
	@scripts/bench-api

chaos: ## the faults that can be put on a running site, and how
	@for fault in pause-member kill-member unplug-member pause-node kill-controller kill-controllers cut-gossip; do sed -n '2,3s/^# //p' chaos/$$fault; echo; done

soak: ## ten minutes of traffic at 100 connections/s to each VIP with a fault every 20 s (SOAK_SECONDS to change); SEEDS=n: n simulated clusters instead
	@$(if $(SEEDS),scripts/simulate --seeds $(SEEDS) $(if $(FROM),--from $(FROM)),chaos/soak $${SOAK_SECONDS:-600})
