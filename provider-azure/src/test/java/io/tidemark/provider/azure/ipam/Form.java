package io.tidemark.provider.azure.ipam;

import io.tidemark.provider.azure.ipam.ConfigurationWrite.Target;
import io.tidemark.provider.azure.network.ArmSamples;

/** Both forms of machines, each with one of the usual scenario. */
enum Form {
  UNIFORM(AzureWorld.UNIFORM, AzureWorld.INSTANCE.text(), "VirtualMachineScaleSetVMs.Update"),
  MACHINE(AzureWorld.MACHINE, ArmSamples.MACHINE.text(), "Interfaces.CreateOrUpdate");

  @SuppressWarnings("ImmutableEnumChecker") // a record of immutable parts
  final Target target;

  final String machine;

  /** The request that writes its configurations. */
  final String put;

  Form(Target target, String machine, String put) {
    this.target = target;
    this.machine = machine;
    this.put = put;
  }
}
