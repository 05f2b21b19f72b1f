package io.tidemark.provider.azure.simulation;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.provider.azure.network.ArmSamples;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.Scenario.InstanceShape;
import java.util.ArrayList;
import java.util.List;

/**
 * The interfaces that a machine begins with. Azure allows 256 configurations on a machine, whatever
 * its size; on small machines of ours another owner's interface holds most of them.
 *
 * @param forPods interfaces that pods get addresses of
 * @param others configurations of an interface that is not for pods; 0 for no such interface
 * @param pinned configurations beside the first one that another owner made, for pods all the same
 * @param ipv6 whether the first interface has an IPv6 configuration
 */
record Layout(int forPods, int others, int pinned, boolean ipv6) {
  static final int CONFIGURATIONS_MAX = 256;

  /** Name of the interface that gets the pods' addresses. */
  static final String FIRST = "eth0";

  private static final String SECOND = "eth1";
  private static final String SMALL = "small";

  /** Scenarios' types with the limits of Azure's machines. */
  static Scenario suited(Scenario drawn) {
    return drawn.withGivenInterfaces(Layout::limits);
  }

  private static InstanceShape limits(InstanceShape of) {
    return of.name().equals(SMALL)
        ? of.withOneInterface()
        : new InstanceShape(
            of.name(), of.interfaces() > 3 ? 2 : 1, CONFIGURATIONS_MAX, of.prefixes());
  }

  /**
   * The interfaces of a machine of a type with Azure's limits; fewer in a subnet that is nearly
   * full.
   *
   * @param several interfaces for pods, if there is room
   * @param room free addresses of the subnet, 1 or more
   */
  static Layout of(InstanceShape type, int several, int pinned, boolean ipv6, int room) {
    int free = type.addressesPerInterface();
    return new Layout(
        Math.min(several, room),
        free < CONFIGURATIONS_MAX ? CONFIGURATIONS_MAX - free - (ipv6 ? 1 : 0) : 0,
        type.interfaces() > 1 ? 0 : Math.min(pinned, Math.min(free - 2, room - 1)),
        ipv6);
  }

  /** The name that the spec of a node gives; empty where every interface serves pods. */
  String wantedInterface() {
    return others > 0 ? FIRST : "";
  }

  /** An interface with its configurations, as the model of a scale set has it. */
  record Wanted(String name, boolean forPods, List<Document> configurations) {
    Wanted {
      configurations = List.copyOf(configurations);
    }

    Document model() {
      return ArmSamples.model(name, name.equals(FIRST), configurations);
    }
  }

  /**
   * All of them.
   *
   * @param subnet of the interfaces for pods
   * @param elsewhere subnet of the other one
   */
  List<Wanted> interfaces(String subnet, String elsewhere) {
    List<Wanted> all = new ArrayList<>();
    List<Document> first = configurations("ipconfig", 1, subnet);
    for (int i = 0; i < pinned; i++) {
      first.add(pinned(i, subnet));
    }
    if (ipv6) {
      first.add(
          ArmSamples.configuration("v6", false, subnet)
              .withProperty("privateIPAddressVersion", "IPv6"));
    }
    all.add(new Wanted(FIRST, true, first));
    if (forPods > 1) {
      all.add(new Wanted(SECOND, true, configurations("ipconfig", 1, subnet)));
    } else if (others > 0) {
      all.add(new Wanted(SECOND, false, configurations("theirs-", others, elsewhere)));
    }
    return all;
  }

  private static List<Document> configurations(String prefix, int count, String subnet) {
    List<Document> made = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      made.add(ArmSamples.configuration(prefix + i, i == 0, subnet));
    }
    return made;
  }

  /** Of a foreign name, or in a gateway or a load balancer under a name like ours. */
  private static Document pinned(int number, String subnet) {
    return switch (number % 3) {
      case 0 -> ArmSamples.configuration("precreated-" + number, false, subnet);
      case 1 ->
          ArmSamples.configuration("Tidemark-gateway" + number, false, subnet)
              .withProperty("gatewayLoadBalancer", Document.reference(subnet + "/gateway"));
      default ->
          ArmSamples.configuration("Tidemark-backend" + number, false, subnet)
              .withProperty(
                  "loadBalancerBackendAddressPools",
                  List.of(Document.reference(subnet + "/backend")));
    };
  }
}
