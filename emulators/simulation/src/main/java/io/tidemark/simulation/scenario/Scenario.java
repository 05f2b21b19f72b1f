package io.tidemark.simulation.scenario;

import io.tidemark.demand.DemandSettings;
import io.tidemark.ip.Cidr;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A cluster and its faults. Immutable; the same scenario gives the same run, event by event.
 *
 * @param name for people
 * @param seed of every choice that the scenario leaves open
 * @param duration virtual time with pods and faults; settling comes after it
 * @param settle longest virtual time the cluster may need to come to rest afterwards
 * @param operator settings of the operators
 * @param subnets at least one
 * @param instanceTypes at least one
 * @param nodeGroups at least one
 * @param cloud speed and limits of the cloud's API
 * @param store speed and conflicts of the API server
 * @param faults what goes wrong, in any order
 */
public record Scenario(
    String name,
    long seed,
    Duration duration,
    Duration settle,
    OperatorShape operator,
    List<SubnetShape> subnets,
    List<InstanceShape> instanceTypes,
    List<NodeGroup> nodeGroups,
    CloudShape cloud,
    StoreShape store,
    List<Fault> faults) {
  /** How long a cluster may take to come to rest when the scenario does not say. */
  public static final Duration SETTLE = Duration.ofMinutes(90);

  public Scenario {
    subnets = List.copyOf(subnets);
    instanceTypes = List.copyOf(instanceTypes);
    nodeGroups = List.copyOf(nodeGroups);
    faults = List.copyOf(faults);
  }

  /**
   * A range of addresses in one zone.
   *
   * @param id such as {@code subnet-a}
   * @param reserved parts that are never assigned, in addition to what the cloud itself reserves
   */
  public record SubnetShape(String id, String vpcId, String zone, Cidr cidr, List<Cidr> reserved) {
    public SubnetShape {
      reserved = List.copyOf(reserved);
    }
  }

  /**
   * Limits of an instance type.
   *
   * @param interfaces that can be attached, the primary one included
   * @param addressesPerInterface the primary address included
   * @param prefixes whether it takes delegated blocks
   */
  public record InstanceShape(
      String name, int interfaces, int addressesPerInterface, boolean prefixes) {

    /** One interface that holds as many addresses as all of them would. */
    public InstanceShape withOneInterface() {
      int addresses = interfaces * (addressesPerInterface - 1);
      return new InstanceShape(name, 1, addresses + 1, prefixes);
    }
  }

  /**
   * Settings of the operators, named as their options are (node-manager 8).
   *
   * @param releaseExcess whether surplus is released
   * @param releaseDelay how long an address is surplus before it is marked
   * @param prefixDelegation whether blocks are requested where the instance supports them
   * @param backgroundInterval between two full scans, before it is scaled by the cluster's size
   * @param demand how spare addresses follow demand; empty for static watermarks
   */
  public record OperatorShape(
      boolean releaseExcess,
      Duration releaseDelay,
      boolean prefixDelegation,
      Duration backgroundInterval,
      Optional<DemandSettings> demand) {
    /** Release off, no prefixes. */
    public static final OperatorShape DEFAULT =
        new OperatorShape(false, Duration.ofSeconds(180), false, Duration.ofSeconds(60));

    /** Operators with static watermarks. */
    public OperatorShape(
        boolean releaseExcess,
        Duration releaseDelay,
        boolean prefixDelegation,
        Duration backgroundInterval) {
      this(releaseExcess, releaseDelay, prefixDelegation, backgroundInterval, Optional.empty());
    }
  }

  /**
   * The API server that holds the node resources.
   *
   * @param latency of one request
   * @param watchLag until a change reaches a watcher, at most
   * @param conflicts share of writes that meet a change made just before, 0 to 1
   */
  public record StoreShape(Duration latency, Duration watchLag, double conflicts) {
    /** A fast one without extra conflicts. */
    public static final StoreShape DEFAULT =
        new StoreShape(Duration.ofMillis(5), Duration.ofMillis(50), 0);
  }

  /** The oldest state that a read of the cloud may show. */
  public Duration stalestRead() {
    Duration most = cloud.staleness();
    for (Fault fault : faults) {
      if (fault.kind() == Fault.Kind.STALE_READS && fault.step().compareTo(most) > 0) {
        most = fault.step();
      }
    }
    return most;
  }

  /** Number of nodes of all groups. */
  public int nodes() {
    return nodeGroups.stream().mapToInt(NodeGroup::count).sum();
  }

  /**
   * The same scenario on a cloud whose instances keep the interfaces that they begin with, all of
   * them for pods.
   *
   * @param limits what becomes of a type; its interfaces are those that each instance begins with
   */
  public Scenario withGivenInterfaces(UnaryOperator<InstanceShape> limits) {
    List<InstanceShape> types = instanceTypes.stream().map(limits).toList();
    List<NodeGroup> groups = nodeGroups.stream().map(NodeGroup::onPrimaryInterface).toList();
    return with(seed, operator, types, groups, faults);
  }

  /** The same with further faults, in the order of their times. */
  public Scenario withFurtherFaults(List<Fault> further) {
    List<Fault> all =
        Stream.concat(faults.stream(), further.stream())
            .sorted(Comparator.comparing(Fault::at))
            .toList();
    return with(seed, operator, instanceTypes, nodeGroups, all);
  }

  /**
   * The same scenario with operators whose spare addresses follow demand: with the default
   * settings, or in half of the seeds with others, by which fewer pods show what a node needs.
   */
  public Scenario followingDemand() {
    SplittableRandom random = new SplittableRandom(seed);
    int least = random.nextInt(1, 9);
    DemandSettings drawn =
        new DemandSettings(
            random.nextDouble(0.5, 0.99),
            least,
            random.nextInt(least, DemandSettings.DEFAULT.spareMax() + 1));
    OperatorShape shape =
        new OperatorShape(
            operator.releaseExcess(),
            operator.releaseDelay(),
            operator.prefixDelegation(),
            operator.backgroundInterval(),
            Optional.of(random.nextBoolean() ? drawn : DemandSettings.DEFAULT));
    return with(seed, shape, instanceTypes, nodeGroups, faults);
  }

  /** The same scenario drawn from another seed. */
  public Scenario withSeed(long other) {
    return with(other, operator, instanceTypes, nodeGroups, faults);
  }

  /** The same scenario with {@code nodes} nodes, shared out to the groups as before. */
  public Scenario withNodes(int nodes) {
    int before = nodes();
    long shared = 0;
    int given = 0;
    List<NodeGroup> groups = new ArrayList<>();
    for (NodeGroup group : nodeGroups) {
      shared += group.count();
      int upTo = (int) (shared * nodes / before);
      if (upTo > given) {
        groups.add(group.withCount(upTo - given));
      }
      given = upTo;
    }
    return with(seed, operator, instanceTypes, groups, faults);
  }

  /** The same scenario with {@code pods} pods that arrive on each node at its start. */
  public Scenario withPodsPerNode(int pods) {
    List<NodeGroup> groups = nodeGroups.stream().map(group -> group.withFirstPods(pods)).toList();
    return with(seed, operator, instanceTypes, groups, faults);
  }

  private Scenario with(
      long from,
      OperatorShape settings,
      List<InstanceShape> types,
      List<NodeGroup> groups,
      List<Fault> trouble) {
    return new Scenario(
        name, from, duration, settle, settings, subnets, types, groups, cloud, store, trouble);
  }

  /** The type of this name. */
  public Optional<InstanceShape> instanceType(String type) {
    return instanceTypes.stream().filter(each -> each.name().equals(type)).findFirst();
  }

  /** The subnet of this id. */
  public Optional<SubnetShape> subnet(String id) {
    return subnets.stream().filter(each -> each.id().equals(id)).findFirst();
  }
}
