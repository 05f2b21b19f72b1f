package example.provider;

import example.provider.MachineApi.ApiException.Reason;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.NodeResource;
import io.tidemark.simulation.cloud.CloudChange;
import io.tidemark.simulation.cloud.CloudInterface;
import io.tidemark.simulation.cloud.CloudTemper;
import io.tidemark.simulation.cloud.SimulatedCloud;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.ProviderContext;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The imaginary cloud in a simulation. */
final class SimulatedMachines implements SimulatedCloud {
  private static final String NOBODYS = "nobodys";

  private final FakeMachines machines;
  private final Scenario scenario;
  private final Map<String, List<CloudInterface>> shown = new TreeMap<>();

  SimulatedMachines(Scenario scenario, VirtualTime time, CloudTemper temper, long seed) {
    this.scenario = scenario;
    this.machines = new FakeMachines(time);
    scenario.subnets().forEach(each -> machines.network(each.id(), each.cidr()));
    machines.refuse(
        operation -> temper.refuses(operation) ? Optional.of(Reason.INTERNAL) : Optional.empty());
    machines.lag(temper::readLag);
  }

  @Override
  public AllocationImplementation provider(ProviderContext context) {
    return new MinimalProvider(machines, context);
  }

  @Override
  public List<CloudOperationInfo> operations() {
    return List.of(
        new CloudOperationInfo("ListMachines", false, Duration.ofMillis(150)),
        new CloudOperationInfo("ListNetworks", false, Duration.ofMillis(150)),
        new CloudOperationInfo("AddAddresses", true, Duration.ofMillis(600)),
        new CloudOperationInfo("RemoveAddresses", true, Duration.ofMillis(600)));
  }

  @Override
  public String section() {
    return "machine";
  }

  @Override
  public Map<String, ShownInterface> shownInterfaces(NodeResource resource) {
    Map<String, ShownInterface> shown = new TreeMap<>();
    MachineSectionJson.addresses(resource)
        .forEach((id, addresses) -> shown.put(id, new ShownInterface(addresses, List.of())));
    return shown;
  }

  @Override
  public String launch(Launch launch) {
    int limit =
        scenario.instanceType(launch.instanceType()).orElseThrow().addressesPerInterface() - 1;
    machines.launch(launch.instanceId(), launch.subnetId(), limit);
    return launch.instanceId();
  }

  @Override
  public void running(String instanceId, boolean running) {
    machines.running(instanceId, running);
  }

  @Override
  public void terminate(String instanceId) {
    machines.terminate(instanceId);
  }

  @Override
  public NodeResource introduced(NodeResource bare, Launch launch) {
    return bare;
  }

  @Override
  public String foreignInterface(String subnetId) {
    return NOBODYS;
  }

  @Override
  public void neighboursTake(double share, double seconds) {
    // the API has no limits
  }

  @Override
  public List<CloudChange> drainChanges() {
    List<CloudChange> changes = new ArrayList<>();
    for (FakeMachines.Changed each : machines.drainChanges()) {
      shown.remove(each.machineId());
      String id = each.machineId() + "-0";
      if (!each.added().isEmpty()) {
        changes.add(change(CloudChange.Kind.ADDRESSES_ADDED, each, id, each.added()));
      } else if (!each.removed().isEmpty()) {
        changes.add(change(CloudChange.Kind.ADDRESSES_REMOVED, each, id, each.removed()));
      } else {
        changes.add(change(CloudChange.Kind.INSTANCE_CHANGED, each, "", AddressSet.of()));
      }
    }
    return changes;
  }

  private static CloudChange change(
      CloudChange.Kind kind, FakeMachines.Changed of, String interfaceId, AddressSet addresses) {
    return new CloudChange(kind, of.machineId(), interfaceId, addresses);
  }

  @Override
  public Optional<CloudInterface> networkInterface(String interfaceId) {
    if (interfaceId.equals(NOBODYS)) {
      String network = scenario.subnets().get(0).id();
      return Optional.of(
          new CloudInterface(
              NOBODYS,
              network,
              "",
              -1,
              false,
              IpAddress.parse("192.0.2.1"),
              AddressSet.of(),
              List.of(),
              Map.of()));
    }
    return attachedTo(interfaceId.replaceAll("-0$", "")).stream().findFirst();
  }

  @Override
  public List<CloudInterface> attachedTo(String instanceId) {
    MachineApi.Machine machine = machines.now().get(instanceId);
    List<CloudInterface> before = shown.getOrDefault(instanceId, List.of());
    if (machine == null) {
      return List.of();
    }
    if (!before.isEmpty() && before.get(0).singles().equals(machine.addresses())) {
      return before;
    }
    List<CloudInterface> now =
        List.of(
            new CloudInterface(
                instanceId + "-0",
                machine.networkId(),
                instanceId,
                0,
                true,
                machines.primary(instanceId),
                machine.addresses(),
                List.of(),
                Map.of()));
    shown.put(instanceId, now);
    return now;
  }

  @Override
  public boolean isOurs(CloudInterface one) {
    return false;
  }

  @Override
  public List<CloudSubnet> subnets() {
    return scenario.subnets().stream().map(each -> subnet(each.id())).toList();
  }

  @Override
  public CloudSubnet subnet(String id) {
    Scenario.SubnetShape shape = scenario.subnet(id).orElseThrow();
    return new CloudSubnet(id, shape.vpcId(), shape.zone(), machines.free(id));
  }

  @Override
  public Duration collectedAfter(Duration scan) {
    return scan;
  }

  @Override
  public SortedMap<String, Long> calls() {
    return new TreeMap<>(machines.asked());
  }

  @Override
  public SortedMap<String, Long> throttled() {
    return new TreeMap<>();
  }
}
