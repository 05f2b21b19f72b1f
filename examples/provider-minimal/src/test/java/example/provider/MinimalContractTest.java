package example.provider;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.Capability;
import io.tidemark.spi.ProviderContext;
import io.tidemark.spi.contract.AllocationContract;
import io.tidemark.spi.contract.ContractCloud;
import io.tidemark.spi.contract.NodeShape;
import io.tidemark.testing.Samples;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The minimal provider keeps the contract")
class MinimalContractTest extends AllocationContract {
  @Override
  protected ContractCloud cloud(VirtualTime time) {
    return new Machines(new FakeMachines(time));
  }

  @Override
  protected Map<Capability, String> lacking() {
    return Map.of(
        Capability.NEW_INTERFACE, "A machine of this cloud has one fixed interface.",
        Capability.PREFIX_DELEGATION, "This cloud gives single addresses alone.",
        Capability.MANY_SUBNETS, "The interface stays in its network.",
        Capability.STATIC_ADDRESS, "This cloud has no public addresses.",
        Capability.IPV6_PREFIX, "This cloud has no IPv6.",
        Capability.ALIAS_RANGES, "This cloud routes no ranges to machines.");
  }

  private record Machines(FakeMachines machines) implements ContractCloud {
    private static final Set<String> CHANGES = Set.of("AddAddresses", "RemoveAddresses");

    @Override
    public AllocationImplementation provider(ProviderContext context) {
      return new MinimalProvider(machines, context);
    }

    @Override
    public void subnet(String id, Cidr cidr) {
      machines.network(id, cidr);
    }

    @Override
    public void securityGroup(String id, Map<String, String> tags) {
      // this cloud has none
    }

    @Override
    public void publicAddress(IpAddress address, Map<String, String> tags) {
      // this cloud has none
    }

    @Override
    public NodeResource launch(String node, NodeShape shape, String subnetId) {
      String machine = "machine-" + node;
      machines.launch(machine, subnetId, shape.addresses());
      return Samples.node(node).instanceId(machine).build();
    }

    @Override
    public String unknownInstance() {
      return "machine-unknown";
    }

    @Override
    public List<Capacity> capacities() {
      return List.of(new Capacity(false, false, false, 27));
    }

    @Override
    public boolean addsWhileStopped() {
      return false;
    }

    @Override
    public String withUnknownMembers(String json) {
      return json.replace("\"machine\":{", "\"machine\":{\"x-machine\":1,")
          .replace("\"interface\":{", "\"interface\":{\"x-interface\":[1.0],");
    }

    @Override
    public void leaveFree(String subnetId, int left) {
      machines.leaveFree(subnetId, left);
    }

    @Override
    public void stop(String instanceId) {
      machines.running(instanceId, false);
    }

    @Override
    public void restart(String instanceId) {
      machines.running(instanceId, true);
    }

    @Override
    public void terminate(String instanceId) {
      machines.terminate(instanceId);
    }

    @Override
    public void throttle(Set<String> operations) {
      machines.refuse(
          operation ->
              operations.contains(operation)
                  ? Optional.of(MachineApi.ApiException.Reason.TOO_MANY_REQUESTS)
                  : Optional.empty());
    }

    @Override
    public void lag(Duration behind) {
      machines.lag(() -> behind);
    }

    @Override
    public List<TrueInterface> interfaces(String instanceId) {
      MachineApi.Machine machine = machines.now().get(instanceId);
      return machine == null
          ? List.of()
          : List.of(
              new TrueInterface(
                  machine.id() + "-0",
                  machine.networkId(),
                  machines.primary(instanceId),
                  machine.addresses(),
                  List.of(),
                  List.of(),
                  true));
    }

    @Override
    public int unattachedInterfaces() {
      return 0;
    }

    @Override
    public Map<String, Long> changes() {
      Map<String, Long> changes = new TreeMap<>(machines.asked());
      changes.keySet().retainAll(CHANGES);
      return changes;
    }

    @Override
    public Set<String> changingOperations() {
      return CHANGES;
    }
  }
}
