package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.AwsSubnet;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.Tags;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which subnets a new interface may go to, best first (provider-aws 2.3 S1…S7). Pure: the same
 * knowledge gives the same subnet.
 *
 * <p>Only subnets of the node's VPC and zone. Ids, else tags, when the node names any, are hard
 * unless {@code fallback}. Without them the node's own subnet goes before all while it holds a
 * whole interface, then those that follow the same route table; then counts who has room for the
 * need, who is most free, and last the id.
 *
 * @param home the subnet of the instance's own interface; empty when not known
 * @param rolesOf the name of the cluster whose subnets the tags of Amazon's own plugin choose (S6),
 *     empty when it has no name; empty where those tags do not count
 */
record SubnetSelector(
    EniSpec spec,
    String vpcId,
    String zone,
    Optional<PoolId> home,
    Networks networks,
    Optional<String> rolesOf,
    EniSettings settings) {
  static final String ROLE = "kubernetes.io/role/cni";
  static final String CLUSTER_PREFIX = "cni.networking.k8s.aws/cluster/";

  /**
   * The selector for the cluster's and the node's facts.
   *
   * @param cluster its name; empty when it has none
   */
  static SubnetSelector of(
      EniSpec spec,
      List<AwsEni> interfaces,
      Networks networks,
      String cluster,
      EniSettings settings) {
    Optional<AwsSubnet> own =
        AwsEni.primaryOf(interfaces).flatMap(eni -> networks.subnet(eni.pool()));
    Optional<PoolId> home =
        spec.nodeSubnetId().isEmpty()
            ? own.map(AwsSubnet::id)
            : Optional.of(new PoolId(spec.nodeSubnetId()));
    return new SubnetSelector(
        spec,
        spec.vpcId().isEmpty() ? own.map(AwsSubnet::vpcId).orElse("") : spec.vpcId(),
        spec.availabilityZone().isEmpty()
            ? own.map(AwsSubnet::availabilityZone).orElse("")
            : spec.availabilityZone(),
        home,
        networks,
        Optional.of(cluster).filter(name -> settings.options().roleTags()),
        settings);
  }

  /**
   * Every subnet that the node may use, full ones included, best first.
   *
   * @param need addresses that the interface shall take, its primary included
   * @param wholeInterface addresses that a full interface of the type takes
   */
  List<Pool<AwsSubnet>> eligible(List<Pool<AwsSubnet>> pools, int need, int wholeInterface) {
    List<Pool<AwsSubnet>> inReach = pools.stream().filter(this::inReach).toList();
    List<Pool<AwsSubnet>> named = inReach.stream().filter(this::named).toList();
    boolean constrained = constrained() && !(named.isEmpty() && settings.subnetFallback());
    return (constrained || !constrained() ? named : inReach)
        .stream()
            .sorted(
                Comparator.comparing(
                        (Pool<AwsSubnet> pool) -> constrained ? 0 : rank(pool, wholeInterface))
                    .thenComparing(pool -> pool.free() < need)
                    .thenComparing(
                        Comparator.comparingInt((Pool<AwsSubnet> each) -> each.free()).reversed())
                    .thenComparing(Pool::id))
            .toList();
  }

  /** Whether a known subnet lacks the tags that new interfaces ask for. */
  boolean isDeselected(PoolId id) {
    Optional<AwsSubnet> subnet = networks.subnet(id);
    return subnet.isPresent()
        && (!new Tags(subnet.get().tags()).matches(settings.subnetTags())
            || (spec.subnetIds().isEmpty()
                && !new Tags(subnet.get().tags()).matches(spec.subnetTags()))
            || !allows(subnet.get().tags(), home.filter(id::equals).isPresent()));
  }

  String why(List<Pool<AwsSubnet>> pools) {
    int wrongVpc = 0;
    int wrongZone = 0;
    int unusable = 0;
    int notNamed = 0;
    for (Pool<AwsSubnet> pool : pools) {
      if (!pool.subnet().vpcId().equals(vpcId)) {
        wrongVpc++;
      } else if (!sameSite(pool.subnet())) {
        wrongZone++;
      } else if (!inReach(pool)) {
        unusable++;
      } else if (!named(pool)) {
        notNamed++;
      }
    }
    return "considered "
        + pools.size()
        + " subnets for "
        + this
        + ": "
        + wrongVpc
        + " wrong VPC, "
        + wrongZone
        + " wrong zone, "
        + unusable
        + " not usable, "
        + notNamed
        + " not selected by ids or tags";
  }

  /**
   * Whether the tags that Amazon's own plugin reads let a subnet in: a role of 0 shuts it out, any
   * other lets it in, without one only the node's own is in. One that clusters are named on is for
   * those alone.
   */
  private boolean allows(Map<String, String> tags, boolean home) {
    if (rolesOf.isEmpty()) {
      return true;
    }
    String role = tags.get(ROLE);
    boolean named = tags.keySet().stream().anyMatch(key -> key.startsWith(CLUSTER_PREFIX));
    return (role == null ? home : !role.equals("0"))
        && (!named
            || (!rolesOf.get().isEmpty() && tags.containsKey(CLUSTER_PREFIX + rolesOf.get())));
  }

  private boolean constrained() {
    return !spec.subnetIds().isEmpty() || !spec.subnetTags().isEmpty();
  }

  private boolean inReach(Pool<AwsSubnet> pool) {
    AwsSubnet subnet = pool.subnet();
    return subnet.usable()
        && subnet.vpcId().equals(vpcId)
        && sameSite(subnet)
        && (settings.subnetIds().isEmpty() || settings.subnetIds().contains(pool.id().text()))
        && new Tags(subnet.tags()).matches(settings.subnetTags())
        && allows(subnet.tags(), home.filter(pool.id()::equals).isPresent());
  }

  /**
   * Zones are compared by id where it is known, for each account gives them names of its own; an
   * Outpost is a place apart in its zone.
   */
  private boolean sameSite(AwsSubnet subnet) {
    Optional<AwsSubnet> own = home.flatMap(networks::subnet);
    String ownId = own.map(AwsSubnet::availabilityZoneId).orElse("");
    boolean idsKnown = !ownId.isEmpty() && !subnet.availabilityZoneId().isEmpty();
    boolean sameZone =
        idsKnown
            ? ownId.equals(subnet.availabilityZoneId())
            : subnet.availabilityZone().equals(zone);
    return sameZone && (own.isEmpty() || own.get().outpostArn().equals(subnet.outpostArn()));
  }

  private boolean named(Pool<AwsSubnet> pool) {
    return spec.subnetIds().isEmpty()
        ? new Tags(pool.subnet().tags()).matches(spec.subnetTags())
        : spec.subnetIds().contains(pool.id().text());
  }

  /** 0 for the node's own subnet with room for a whole interface, 1 on the same routes, else 2. */
  private int rank(Pool<AwsSubnet> pool, int wholeInterface) {
    if (home.isEmpty()) {
      return 2;
    }
    if (pool.id().equals(home.get())) {
      return pool.free() >= wholeInterface ? 0 : 2;
    }
    Optional<String> routes = networks.effectiveRouteTable(home.get(), vpcId);
    return routes.isPresent() && routes.equals(networks.effectiveRouteTable(pool.id(), vpcId))
        ? 1
        : 2;
  }

  @Override
  public String toString() {
    return "VPC "
        + vpcId
        + ", zone "
        + zone
        + (spec.subnetIds().isEmpty() ? "" : ", subnet-ids " + spec.subnetIds())
        + (spec.subnetTags().isEmpty() ? "" : ", subnet-tags " + spec.subnetTags());
  }
}
