package io.tidemark.provider.azure.network;

import io.tidemark.emulator.arm.document.Document;
import java.util.List;

/** Resources of the emulator's example, and documents of which tests make others. */
public final class ArmSamples {
  /** The subscription's id. */
  public static final String SUBSCRIPTION = "00000000-0000-0000-0000-000000000001";

  /** The resources of the group of the nodes. */
  public static final String NODES = providers("nodes");

  /** The set of two instances. */
  public static final ResourceId SET =
      ResourceId.of(NODES + "/Microsoft.Compute/virtualMachineScaleSets/pool-a");

  /** The first instance of the set. */
  public static final ResourceId INSTANCE = ResourceId.of(SET + "/virtualMachines/0");

  /** The virtual machine. */
  public static final ResourceId MACHINE =
      ResourceId.of(NODES + "/Microsoft.Compute/virtualMachines/worker-a");

  /** The interface of the virtual machine. */
  public static final ResourceId NIC =
      ResourceId.of(NODES + "/Microsoft.Network/networkInterfaces/worker-a-eth0");

  /** The virtual network of all of them. */
  public static final ResourceId NETWORK =
      ResourceId.of(providers("network") + "/Microsoft.Network/virtualNetworks/cluster");

  /** Its only subnet. */
  public static final ResourceId SUBNET = ResourceId.of(NETWORK + "/subnets/nodes");

  private ArmSamples() {}

  /** The resources of a group of the subscription. */
  public static String providers(String group) {
    return "/subscriptions/" + SUBSCRIPTION + "/resourceGroups/" + group + "/providers";
  }

  /** The primary configuration of an interface in this subnet. */
  public static Document primary(String subnet) {
    return configuration("primary", true, subnet);
  }

  /** A configuration. */
  public static Document configuration(String name, boolean primary, String subnet) {
    return named(name, Document.of("primary", primary).with("subnet", Document.reference(subnet)));
  }

  /** An interface of a set's model. */
  public static Document model(String name, boolean primary, List<Document> configurations) {
    return named(name, Document.of("primary", primary).with("ipConfigurations", configurations));
  }

  /** An element with a name and properties. */
  public static Document named(String name, Document properties) {
    return Document.of("name", name).with("properties", properties);
  }
}
