package io.tidemark.spi.contract;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.ProviderContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A provider's cloud as the contract needs it: made anew for every test, in virtual time, without
 * limits on requests. Ids of subnets are the test's, which an implementation maps when its cloud
 * has other names; ids of instances are the cloud's.
 */
public interface ContractCloud {
  /**
   * How far a read may lie behind. The provider must be told, where it has to know: every test runs
   * on a cloud that could lag so much, though it does only after {@link #lag}.
   */
  Duration LAG_MAX = Duration.ofSeconds(20);

  /** The provider over this cloud. */
  AllocationImplementation provider(ProviderContext context);

  /** A subnet of the test's only VPC in zone {@code zone-a}. */
  void subnet(String id, Cidr cidr);

  /** A security group with tags. */
  void securityGroup(String id, Map<String, String> tags);

  /** A public address that can be found by its tags. */
  void publicAddress(IpAddress address, Map<String, String> tags);

  /**
   * A running instance with one empty primary interface. Returns the resource of its node, as its
   * agent writes it when it starts: the instance's id and the cloud's own section; nothing is used.
   */
  NodeResource launch(String node, NodeShape shape, String subnetId);

  /** The id of an instance that was never launched. */
  String unknownInstance();

  /** How a Node names an instance; for clouds with alias ranges. */
  default String providerId(String instanceId) {
    throw new UnsupportedOperationException("no alias ranges, so not for " + instanceId);
  }

  /** The alias ranges that the cloud really routes to an instance, in its order. */
  default List<Cidr> aliasRanges(String instanceId) {
    throw new UnsupportedOperationException("no alias ranges, so none of " + instanceId);
  }

  /** Alias ranges that an instance of {@code subnet-a} can get; any, where any range will do. */
  default AliasSamples aliasSamples() {
    return new AliasSamples(
        Cidr.parse("10.244.3.0/24"),
        Cidr.parse("10.244.1.0/26"),
        List.of(Cidr.parse("10.244.3.128/26"), Cidr.parse("10.244.0.0/16")));
  }

  /** Pod addresses that an instance launched with this shape holds. */
  default int addresses(NodeShape shape) {
    return shape.addresses();
  }

  /** The capacity of an instance of the shape 3 x 9, in each way that the cloud has. */
  List<Capacity> capacities();

  /**
   * A change takes at most so long from its plan to the end of its stage, when nothing goes wrong;
   * less than {@link #LAG_MAX}.
   */
  default Duration changeTime() {
    return Duration.ZERO;
  }

  /** A pause between two changes of an instance that keeps within the cloud's limits for one. */
  default Duration changePause() {
    return Duration.ZERO;
  }

  /**
   * Whether only a read shows what a change did: while reads lag, such a change ends as unknown.
   */
  default boolean confirmsByReading() {
    return false;
  }

  /** Whether a stopped instance takes addresses like any other. */
  boolean addsWhileStopped();

  /**
   * A resource's JSON text with members that nobody knows in the cloud's section of its status, at
   * each level; their names begin with {@code x-} and their values hold no comma.
   */
  String withUnknownMembers(String json);

  /** Somebody else takes every address of the subnet but {@code left}; blocks do not survive. */
  void leaveFree(String subnetId, int left);

  /** The instance is stopped, behind the provider's back. */
  void stop(String instanceId);

  /** The instance runs again. */
  void restart(String instanceId);

  /** The instance is terminated, behind the provider's back, with all its interfaces. */
  void terminate(String instanceId);

  /**
   * From now on requests of these operations, and of no others, are refused as too many; nothing of
   * them is done. An empty set ends it.
   */
  void throttle(Set<String> operations);

  /**
   * From now on reads show the cloud as it was so long before they are served, at most {@link
   * #LAG_MAX}; zero ends it.
   */
  void lag(Duration behind);

  /** The true interfaces of the instance, in the cloud's order, the first one first. */
  List<TrueInterface> interfaces(String instanceId);

  /** Interfaces that belong to nobody's instance. */
  int unattachedInterfaces();

  /** Requests so far that changed something, or tried to, by operation. */
  Map<String, Long> changes();

  /** Names of the operations that change something; used to inject lost answers. */
  Set<String> changingOperations();

  /**
   * The most addresses of an instance.
   *
   * @param primary whether primary addresses serve pods
   * @param blocks whether it has blocks
   * @param reference whether in the reference's profile
   */
  record Capacity(boolean primary, boolean blocks, boolean reference, int addresses) {}

  /**
   * Alias ranges that are free at first.
   *
   * @param first before the second in the cloud's order when it was added first
   * @param second without addresses of the first
   * @param overlapping others that share addresses with the first; none where ranges cannot
   */
  record AliasSamples(Cidr first, Cidr second, List<Cidr> overlapping) {
    public AliasSamples {
      overlapping = List.copyOf(overlapping);
    }
  }

  /**
   * One interface as the cloud has it.
   *
   * @param singles secondary addresses outside of prefixes
   */
  record TrueInterface(
      String id,
      String subnetId,
      IpAddress primary,
      AddressSet singles,
      List<Cidr> prefixes,
      List<String> securityGroups,
      boolean deleteOnTermination) {}
}
