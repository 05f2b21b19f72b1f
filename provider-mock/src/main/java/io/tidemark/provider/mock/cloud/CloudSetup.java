package io.tidemark.provider.mock.cloud;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The actions of the owner of the account: networks, instances, public addresses. Not counted, not
 * limited, no faults, no lag. Thread-safe; made by {@link MockCloud#setup()}.
 */
public final class CloudSetup {
  private final MockCloud cloud;

  CloudSetup(MockCloud cloud) {
    this.cloud = cloud;
  }

  /**
   * The reason why an instance cannot be adopted.
   *
   * @param what is not free, or cannot be given out
   * @param byInstance the instance that has it; empty when none has
   */
  public record Conflict(String what, Optional<String> byInstance) {}

  /** Adds a subnet with all its addresses free; one of the same id stays. */
  public void subnet(MockSubnet subnet) {
    act(state -> state.subnets.putIfAbsent(subnet.id(), new SubnetBooks(subnet)));
  }

  /** All subnets, ids ascending. */
  public List<MockSubnet> subnets() {
    return change(state -> state.subnets.values().stream().map(SubnetBooks::subnet).toList());
  }

  /** Adds a static public address with its tags. */
  public void publicAddress(IpAddress address, Map<String, String> tags) {
    act(
        state ->
            state.publicAddresses.put(
                address, new MockRequests.PublicAddress(address, tags, Optional.empty())));
  }

  /** As {@link #launch(String, String, String, Map)}, without tags. */
  public MockInterface launch(String instanceId, String type, String subnetId) {
    return launch(instanceId, type, subnetId, Map.of());
  }

  /**
   * Starts an instance. Its own interface gets the lowest free address of the subnet.
   *
   * @param tags of the interface
   * @throws IllegalArgumentException when the id is taken or the subnet is unknown or full
   */
  public MockInterface launch(
      String instanceId, String type, String subnetId, Map<String, String> tags) {
    return change(
        state -> {
          try {
            if (state.instances.containsKey(instanceId)) {
              throw new IllegalArgumentException(instanceId + " exists");
            }
            IpAddress primary = state.books(subnetId).takeSingles(1).at(0);
            InterfaceId id =
                new InterfaceId("eni-" + MockRequests.hex(MockRequests.mix(instanceId)));
            String description = "primary interface of " + instanceId;
            MockInterface own =
                new MockInterface(
                    id,
                    instanceId,
                    0,
                    new PoolId(subnetId),
                    MockRequests.fixed(id, description, primary, List.of(), tags),
                    AddressSet.of(),
                    List.of(),
                    List.of(),
                    Optional.empty());
            state.instances.put(instanceId, new CloudState.Instance(type, true));
            state.put(own);
            return own;
          } catch (CloudException refused) {
            throw new IllegalArgumentException(refused.getMessage(), refused);
          }
        });
  }

  /**
   * Takes an instance as it stands, with its subnets, all of it or nothing. Limits are not looked
   * at.
   *
   * @param instanceId empty for interfaces that are attached nowhere
   * @return why nothing was taken; empty on success
   */
  public Optional<Conflict> adopt(
      String instanceId,
      String type,
      Collection<MockSubnet> subnets,
      Collection<MockInterface> interfaces) {
    return change(
        state -> {
          List<Runnable> undo = new ArrayList<>();
          Optional<Conflict> conflict = take(state, subnets, interfaces, undo);
          if (conflict.isPresent()) {
            undo.forEach(Runnable::run);
            return conflict;
          }
          if (!instanceId.isEmpty()) {
            state.instances.put(instanceId, new CloudState.Instance(type, true));
          }
          for (MockInterface each : interfaces) {
            each.publicAddress()
                .ifPresent(
                    address ->
                        state.publicAddresses.computeIfPresent(
                            address, (same, known) -> known.boundTo(Optional.of(each.id()))));
            state.put(each);
          }
          return conflict;
        });
  }

  private static Optional<Conflict> take(
      CloudState state,
      Collection<MockSubnet> subnets,
      Collection<MockInterface> interfaces,
      List<Runnable> undo) {
    for (MockSubnet each : subnets) {
      SubnetBooks known = state.subnets.get(each.id());
      Optional<MockSubnet> other =
          state.subnets.values().stream()
              .map(SubnetBooks::subnet)
              .filter(one -> one.id().equals(each.id()) ? known != null : !one.isApartFrom(each))
              .filter(one -> !one.cidr().equals(each.cidr()) || !one.id().equals(each.id()))
              .findFirst();
      if (other.isPresent()) {
        String text = each.id() + " " + each.cidr() + " contradicts subnet ";
        return Optional.of(
            new Conflict(text + other.get().id() + " " + other.get().cidr(), Optional.empty()));
      }
      if (known == null) {
        state.subnets.put(each.id(), new SubnetBooks(each));
        undo.add(() -> state.subnets.remove(each.id()));
      }
    }
    for (MockInterface each : interfaces) {
      Optional<MockInterface> same = state.find(each.id());
      if (same.isPresent()) {
        return Optional.of(
            new Conflict("interface " + each.id(), Optional.of(same.get().instanceId())));
      }
      SubnetBooks books = state.subnets.get(each.pool().text());
      for (IpAddress address : each.taken()) {
        if (books == null || !books.take(address)) {
          return Optional.of(conflict(state, books, each, address));
        }
        undo.add(() -> books.give(AddressSet.of(address), List.of()));
      }
    }
    return Optional.empty();
  }

  private static Conflict conflict(
      CloudState state, @Nullable SubnetBooks books, MockInterface wanted, IpAddress address) {
    if (books != null && books.isHeld(address)) {
      String holder = state.holder(wanted.pool().text(), AddressSet.of(address)).orElse("");
      return new Conflict("address " + address, Optional.of(holder));
    }
    return new Conflict(
        "address "
            + address
            + " of interface "
            + wanted.id()
            + " cannot be given out in subnet "
            + wanted.pool()
            + (books == null ? "" : " " + books.subnet().cidr()),
        Optional.empty());
  }

  /** Routes a range to an instance, unless something else has addresses of it. */
  public void aliasRange(String instanceId, Cidr range) {
    act(
        state -> {
          if (state.overlappingAlias(range).isEmpty()) {
            state.attachedTo(instanceId).stream()
                .filter(each -> each.index() == 0)
                .findFirst()
                .ifPresent(own -> state.put(own.withAliasRange(range)));
          }
        });
  }

  /**
   * Addresses that somebody else takes from a subnet: never part of an interface.
   *
   * @return how many of the wanted ones were free
   */
  public int occupy(String subnetId, AddressSet addresses) {
    return change(
        state -> {
          SubnetBooks books = Objects.requireNonNull(state.subnets.get(subnetId));
          return (int) addresses.toList().stream().filter(books::take).count();
        });
  }

  /** Starts or stops an instance; does nothing to an unknown one. */
  public void running(String instanceId, boolean running) {
    act(state -> state.running(instanceId, running));
  }

  /** Ends an instance with its interfaces. */
  public void terminate(String instanceId) {
    act(state -> state.terminate(instanceId));
  }

  private void act(Consumer<CloudState> what) {
    cloud.change(
        state -> {
          what.accept(state);
          return state;
        });
  }

  private <T> T change(Function<CloudState, T> what) {
    return cloud.change(what);
  }
}
