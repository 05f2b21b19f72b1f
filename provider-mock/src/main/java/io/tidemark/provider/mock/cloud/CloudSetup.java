package io.tidemark.provider.mock.cloud;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.mock.cloud.NetworkInterface.Attachment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The actions of the owner of the account outside the network interface API: networks, instances,
 * public addresses. Not counted, not limited, no faults, no lag. Thread-safe; made by {@link
 * MockCloud#setup()}.
 */
public final class CloudSetup {
  private final MockCloud cloud;

  CloudSetup(MockCloud cloud) {
    this.cloud = cloud;
  }

  /** Adds a VPC; one of the same id is replaced. */
  public CloudSetup vpc(Vpc vpc) {
    return cloud.change(
        state -> {
          state.vpcs().put(vpc.id(), vpc);
          return this;
        });
  }

  /**
   * Adds a subnet with all its addresses free.
   *
   * @throws IllegalArgumentException when the id is taken or its addresses belong to another subnet
   *     of the VPC
   */
  public CloudSetup subnet(Subnet subnet) {
    return cloud.change(
        state -> {
          for (SubnetBooks other : state.subnets().values()) {
            boolean sameId = other.subnet().id().equals(subnet.id());
            boolean overlaps =
                other.subnet().vpcId().equals(subnet.vpcId())
                    && other.subnet().cidr().overlaps(subnet.cidr());
            if (sameId || overlaps) {
              throw new IllegalArgumentException(
                  "subnet " + subnet.id() + " " + subnet.cidr() + " contradicts " + other.subnet());
            }
          }
          state.subnets().put(subnet.id(), new SubnetBooks(subnet));
          return this;
        });
  }

  /** The VPC of this id. */
  public Optional<Vpc> findVpc(String id) {
    return cloud.change(state -> Optional.ofNullable(state.vpcs().get(id)));
  }

  /** All subnets, ids ascending. */
  public List<Subnet> subnets() {
    return cloud.change(
        state -> state.subnets().values().stream().map(SubnetBooks::subnet).toList());
  }

  /** Adds a security group. While there is none, interfaces may name any. */
  public CloudSetup securityGroup(SecurityGroup group) {
    return cloud.change(
        state -> {
          state.groups().put(group.id(), group);
          return this;
        });
  }

  /** Adds a static public address. */
  public CloudSetup publicAddress(PublicAddress address) {
    return cloud.change(
        state -> {
          state.publicAddresses().put(address.allocationId(), address);
          return this;
        });
  }

  /**
   * Starts an instance with its primary interface.
   *
   * @throws IllegalArgumentException when the id is taken or the subnet is unknown or full
   */
  public NetworkInterface launch(InstanceLaunch launch) {
    return cloud.change(
        state -> {
          SubnetBooks books = state.subnets().get(launch.subnetId());
          if (books == null || state.findInstance(launch.instanceId()).isPresent()) {
            throw new IllegalArgumentException(
                "cannot launch "
                    + launch.instanceId()
                    + (books == null ? ": no subnet " + launch.subnetId() : ": it exists"));
          }
          IpAddress primary;
          try {
            primary = books.takeSingles(1).at(0);
          } catch (CloudException full) {
            throw new IllegalArgumentException("cannot launch " + launch.instanceId(), full);
          }
          Subnet subnet = books.subnet();
          state.put(
              new Instance(
                  launch.instanceId(),
                  launch.type(),
                  subnet.vpcId(),
                  subnet.zone(),
                  Instance.State.RUNNING));
          String id = IdSource.hashed("eni-", launch.instanceId());
          NetworkInterface primaryInterface =
              new NetworkInterface(
                  id,
                  subnet.id(),
                  IdSource.macOf(id),
                  "primary interface of " + launch.instanceId(),
                  primary,
                  AddressSet.of(),
                  List.of(),
                  launch.securityGroups(),
                  launch.tags(),
                  Optional.of(
                      new Attachment(IdSource.attachmentIdOf(id), launch.instanceId(), 0, true)),
                  Optional.empty(),
                  HeldIpv6.NONE);
          state.put(primaryInterface, Mutation.Kind.INTERFACE_ATTACHED, AddressSet.of(primary));
          return primaryInterface;
        });
  }

  /** Routes a range to an instance, unless something else has addresses of it. */
  public CloudSetup aliasRange(String instanceId, Cidr range) {
    return cloud.change(
        state -> {
          if (state.aliases().overlapping(range).isEmpty()) {
            state.aliases().add(instanceId, range, state.nowNanos());
          }
          return this;
        });
  }

  /** An instance without interfaces, for {@link #plugIn}; one that is there stays. */
  public CloudSetup instance(Instance instance) {
    return cloud.change(
        state -> {
          if (state.findInstance(instance.id()).isEmpty()) {
            state.put(instance);
          }
          return this;
        });
  }

  /**
   * Puts an interface into the cloud as it stands, with those of its addresses that are free in its
   * subnet. Limits are not looked at.
   *
   * @return the interface as it is now; empty when its id or primary address is taken, or its
   *     subnet or instance is unknown
   */
  public Optional<NetworkInterface> plugIn(NetworkInterface wanted) {
    Objects.requireNonNull(wanted, "wanted");
    return cloud.change(
        state -> {
          SubnetBooks books = state.subnets().get(wanted.subnetId());
          boolean homeless =
              wanted.attachment().isPresent()
                  && state.findInstance(wanted.attachment().get().instanceId()).isEmpty();
          if (books == null
              || homeless
              || state.findInterface(wanted.id()).isPresent()
              || !books.take(wanted.primary())) {
            return Optional.empty();
          }
          AddressSet.Builder singles = AddressSet.builder();
          for (IpAddress address : wanted.singles()) {
            if (books.take(address)) {
              singles.add(address);
            }
          }
          List<Cidr> prefixes = new ArrayList<>();
          for (Cidr block : wanted.prefixes()) {
            if (block.prefixLength() == SubnetBooks.BLOCK_LENGTH && books.take(block)) {
              prefixes.add(block);
            }
          }
          NetworkInterface plugged = wanted.holding(singles.build(), prefixes);
          associated(state, plugged);
          state.put(plugged, Mutation.Kind.INTERFACE_ATTACHED, CloudState.addressesOf(plugged));
          return Optional.of(plugged);
        });
  }

  /** A static address that the interface shows is the interface's from now on. */
  private static void associated(CloudState state, NetworkInterface plugged) {
    for (PublicAddress each : List.copyOf(state.publicAddresses().values())) {
      if (plugged.publicAddress().equals(Optional.of(each.address()))
          && each.interfaceId().isEmpty()) {
        state
            .publicAddresses()
            .put(
                each.allocationId(),
                new PublicAddress(
                    each.allocationId(), each.address(), each.tags(), Optional.of(plugged.id())));
      }
    }
  }

  /** Removes a subnet that no interface is in; does nothing to another. */
  public CloudSetup removeSubnet(String id) {
    return cloud.change(
        state -> {
          if (state.listed("", Integer.MAX_VALUE, state.nowNanos()).stream()
              .noneMatch(each -> each.subnetId().equals(id))) {
            state.subnets().remove(id);
          }
          return this;
        });
  }

  /** All VPCs, ids ascending. */
  public List<Vpc> vpcs() {
    return cloud.change(state -> List.copyOf(state.vpcs().values()));
  }

  /** All interfaces, ids ascending. */
  public List<NetworkInterface> interfaces() {
    return cloud.change(state -> state.listed("", Integer.MAX_VALUE, state.nowNanos()));
  }

  /** Whether nobody holds an address of a subnet, and it can be given out. */
  public boolean isFree(String subnetId, IpAddress address) {
    return cloud.change(
        state -> {
          SubnetBooks books = state.subnets().get(subnetId);
          return books != null && books.isFree(address);
        });
  }

  /** The interface that holds an address of a subnet; empty when none does. */
  public Optional<NetworkInterface> holder(String subnetId, IpAddress address) {
    return cloud.change(
        state -> {
          SubnetBooks books = state.subnets().get(subnetId);
          if (books == null || books.isFree(address)) {
            return Optional.empty();
          }
          return state.listed("", Integer.MAX_VALUE, state.nowNanos()).stream()
              .filter(each -> each.subnetId().equals(subnetId))
              .filter(each -> CloudState.addressesOf(each).contains(address))
              .findFirst();
        });
  }

  /** The lowest free address of a subnet that is not among {@code except}. */
  public Optional<IpAddress> lowestFree(String subnetId, AddressSet except) {
    return cloud.change(
        state -> {
          SubnetBooks books = state.subnets().get(subnetId);
          if (books == null) {
            return Optional.empty();
          }
          Cidr cidr = books.subnet().cidr();
          for (long i = 0; i < cidr.sizeSaturated(); i++) {
            IpAddress address = cidr.address(i);
            if (books.isFree(address) && !except.contains(address)) {
              return Optional.of(address);
            }
          }
          return Optional.empty();
        });
  }

  /**
   * Addresses that somebody else takes from a subnet: never part of an interface.
   *
   * @return how many of the wanted ones were free
   */
  public int occupy(String subnetId, AddressSet addresses) {
    return cloud.change(
        state -> {
          SubnetBooks books = state.subnets().get(subnetId);
          int taken = 0;
          if (books != null) {
            for (IpAddress address : addresses) {
              taken += books.take(address) ? 1 : 0;
            }
          }
          return taken;
        });
  }

  /** Gives back what {@link #occupy} took. */
  public CloudSetup vacate(String subnetId, AddressSet addresses) {
    return cloud.change(
        state -> {
          SubnetBooks books = state.subnets().get(subnetId);
          if (books != null) {
            books.give(addresses);
          }
          return this;
        });
  }

  /** Stops, restarts or halts an instance; does nothing to an unknown or terminated one. */
  public CloudSetup instanceState(String instanceId, Instance.State next) {
    return cloud.change(
        state -> {
          state
              .findInstance(instanceId)
              .filter(instance -> instance.state() != Instance.State.TERMINATED)
              .filter(instance -> instance.state() != next)
              .ifPresent(
                  instance -> {
                    if (next == Instance.State.TERMINATED) {
                      cloud.rules().terminate(instanceId);
                    } else {
                      state.put(instance.in(next));
                    }
                  });
          return this;
        });
  }

  /** Ends an instance; marked interfaces go with it, others become available. */
  public CloudSetup terminate(String instanceId) {
    return instanceState(instanceId, Instance.State.TERMINATED);
  }

  /** Ends an instance and forgets it at once, so that its id can be used again. */
  public CloudSetup forget(String instanceId) {
    return cloud.change(
        state -> {
          cloud.rules().terminate(instanceId);
          state.removeInstance(instanceId);
          return this;
        });
  }
}
