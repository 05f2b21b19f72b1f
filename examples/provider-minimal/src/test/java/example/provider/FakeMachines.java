package example.provider;

import example.provider.MachineApi.ApiException.Reason;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/** The imaginary cloud in memory: networks that run out, reads that show the past, refusals. */
final class FakeMachines implements MachineApi {
  private final TimeSource time;
  private final Map<String, Cidr> networks = new TreeMap<>();
  private final Map<String, Set<IpAddress>> taken = new TreeMap<>();
  private final Map<String, IpAddress> primaries = new TreeMap<>();
  private final Map<String, Long> asked = new TreeMap<>();
  private final List<State> states = new ArrayList<>();
  private final Set<String> stopped = new HashSet<>();
  private Function<String, Optional<Reason>> refusal = operation -> Optional.empty();
  private Supplier<Duration> lag = () -> Duration.ZERO;

  /** The state at an instant. */
  private record State(long nanos, Map<String, Machine> machines) {}

  FakeMachines(TimeSource time) {
    this.time = time;
    this.states.add(new State(time.nanos(), Map.of()));
  }

  // ---- the owner's side

  void network(String id, Cidr cidr) {
    networks.put(id, cidr);
    taken.put(id, new HashSet<>());
  }

  void launch(String id, String network, int limit) {
    primaries.put(id, take(network, 1).at(0));
    put(new Machine(id, network, AddressSet.of(), limit));
  }

  void terminate(String id) {
    Machine gone = now().get(id);
    if (gone != null) {
      held(gone.networkId()).removeAll(gone.addresses().toList());
      held(gone.networkId()).remove(primary(id));
      Map<String, Machine> rest = new TreeMap<>(now());
      rest.remove(id);
      states.add(new State(time.nanos(), rest));
    }
  }

  void running(String id, boolean runs) {
    if (runs) {
      stopped.remove(id);
    } else {
      stopped.add(id);
    }
  }

  void leaveFree(String network, int left) {
    int free = free(network);
    if (free > left) {
      take(network, free - left);
    }
  }

  /** From now on operations are refused for the reason that this answers. */
  void refuse(Function<String, Optional<Reason>> reasons) {
    refusal = reasons;
  }

  void lag(Supplier<Duration> behind) {
    lag = behind;
  }

  Map<String, Machine> now() {
    return states.get(states.size() - 1).machines();
  }

  Map<String, Long> asked() {
    return asked;
  }

  /** The address of the machine itself. */
  IpAddress primary(String id) {
    return Objects.requireNonNull(primaries.get(id), id);
  }

  int free(String network) {
    Cidr cidr = networks.get(network);
    return (int) (cidr == null ? 0 : cidr.sizeSaturated() - 2) - held(network).size();
  }

  // ---- the API

  @Override
  public List<Machine> machines() throws ApiException {
    admit("ListMachines");
    return List.copyOf(shown().values());
  }

  @Override
  public List<Machine> machines(Set<String> ids) throws ApiException {
    admit("ListMachines");
    return shown().values().stream().filter(each -> ids.contains(each.id())).toList();
  }

  @Override
  public List<Network> networks() throws ApiException {
    admit("ListNetworks");
    return networks.keySet().stream().map(id -> new Network(id, free(id))).toList();
  }

  @Override
  public AddressSet add(String machineId, int count) throws ApiException {
    admit("AddAddresses");
    Machine machine = running(machineId);
    if (machine.addresses().size() + count > machine.limit()) {
      throw new ApiException(Reason.LIMIT_REACHED, machineId + " holds " + machine.limit());
    }
    if (free(machine.networkId()) < count) {
      throw new ApiException(Reason.NO_FREE_ADDRESS, machine.networkId());
    }
    AddressSet added = take(machine.networkId(), count);
    put(with(machine, machine.addresses().plus(added)));
    return added;
  }

  @Override
  public void remove(String machineId, AddressSet addresses) throws ApiException {
    admit("RemoveAddresses");
    Machine machine = running(machineId);
    AddressSet gone = addresses.intersect(machine.addresses());
    held(machine.networkId()).removeAll(gone.toList());
    put(with(machine, machine.addresses().minus(gone)));
  }

  private void admit(String operation) throws ApiException {
    asked.merge(operation, 1L, Long::sum);
    Optional<Reason> refused = refusal.apply(operation);
    if (refused.isPresent()) {
      throw new ApiException(refused.get(), operation + " is refused");
    }
  }

  private Machine running(String id) throws ApiException {
    Machine machine = now().get(id);
    if (machine == null) {
      throw new ApiException(Reason.NO_SUCH_MACHINE, id);
    }
    if (stopped.contains(id)) {
      throw new ApiException(Reason.MACHINE_STOPPED, id);
    }
    return machine;
  }

  private Map<String, Machine> shown() {
    long until = time.nanos() - lag.get().toNanos();
    for (int i = states.size() - 1; i > 0; i--) {
      if (states.get(i).nanos() <= until) {
        return states.get(i).machines();
      }
    }
    return states.get(0).machines();
  }

  private AddressSet take(String network, int count) {
    AddressSet all = AddressSet.ofRange(networks.getOrDefault(network, Cidr.parse("0.0.0.0/32")));
    AddressSet.Builder got = AddressSet.builder();
    int found = 0;
    for (int i = 1; i < all.size() - 1 && found < count; i++) {
      if (held(network).add(all.at(i))) {
        got.add(all.at(i));
        found++;
      }
    }
    return got.build();
  }

  private Set<IpAddress> held(String network) {
    return taken.computeIfAbsent(network, id -> new HashSet<>());
  }

  private static Machine with(Machine machine, AddressSet addresses) {
    return new Machine(machine.id(), machine.networkId(), addresses, machine.limit());
  }

  private void put(Machine machine) {
    Map<String, Machine> all = new TreeMap<>(now());
    all.put(machine.id(), machine);
    states.add(new State(time.nanos(), all));
    // States that are older than any lag are forgotten.
    while (states.size() > 2
        && time.nanos() - states.get(1).nanos() > MinimalProvider.HORIZON.toNanos() * 2) {
      states.remove(0);
    }
  }
}
