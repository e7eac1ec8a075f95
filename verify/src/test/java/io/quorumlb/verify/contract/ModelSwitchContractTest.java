package io.quorumlb.verify.contract;

/** The model keeps the contract of the switch. */
class ModelSwitchContractTest extends DatapathContract {
    private final SwitchBench bench = new ModelSwitchBench();

    @Override
    SwitchBench bench() {
        return bench;
    }
}
