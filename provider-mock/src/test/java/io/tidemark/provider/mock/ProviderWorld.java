package io.tidemark.provider.mock;

import io.tidemark.config.ConfigSource;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.metrics.Meters;
import io.tidemark.provider.mock.cloud.CloudClient;
import io.tidemark.provider.mock.cloud.CloudSettings;
import io.tidemark.provider.mock.cloud.MockCloud;
import io.tidemark.provider.mock.cloud.MockSubnet;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.Priority;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.spi.ProviderContext;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.testing.Samples;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** A cloud with one VPC and subnet {@code subnet-a}, a provider for it, and virtual time. */
final class ProviderWorld {
  static final String SUBNET = "subnet-a";

  final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  final MockCloud cloud;
  final AllocationImplementation provider;

  ProviderWorld(CloudSettings settings, Map<String, String> config, String subnetCidr) {
    cloud = new MockCloud(settings, time);
    subnet(SUBNET, subnetCidr);
    provider = new MockProviderFactory(cloud).create(context(time, config));
  }

  /** A provider with an embedded cloud of its own, which {@link #cloud} is not. */
  private ProviderWorld(Map<String, String> config) {
    cloud = new MockCloud(CloudSettings.calm(), time);
    provider = new MockProviderFactory().create(context(time, config));
  }

  static ProviderWorld embedded(Map<String, String> config) {
    return new ProviderWorld(config);
  }

  static ProviderWorld calm() {
    return new ProviderWorld(CloudSettings.calm(), Map.of(), "10.0.0.0/20");
  }

  /** A world with faults in the form of {@code mock-faults}. */
  static ProviderWorld withFaults(String... rules) {
    return lagging(Duration.ZERO, rules);
  }

  /** Reads lag by exactly this time. */
  static ProviderWorld lagging(Duration lag, String... rules) {
    CloudSettings settings = new CloudSettings(1, Map.of(), 0, lag, CloudClient.plan(lag, rules));
    return new ProviderWorld(settings, Map.of(), "10.0.0.0/20");
  }

  static ProviderContext context(VirtualTime time, Map<String, String> config) {
    return new ProviderContext(
        "test",
        new MapConfig(config),
        time,
        new SplittableRandom(1),
        DirectCalls::new,
        Meters.none(),
        OperatorNotices.NONE);
  }

  ProviderWorld subnet(String id, String cidr) {
    List<Cidr> network = List.of(Cidr.parse("10.0.0.0/16"));
    cloud
        .state()
        .subnet(new MockSubnet(id, "vpc-a", network, "zone-a", Cidr.parse(cidr), Map.of()));
    return this;
  }

  /** An instance of this type, its node, and everything read. */
  NodeOperations node(String name, String type) {
    return node(name, Samples.eniSpec(type), new NodeSettings(name, false, true, false));
  }

  NodeOperations node(String name, EniSpec spec, NodeSettings settings) {
    cloud.state().launch("i-" + name, spec.instanceType(), SUBNET, Map.of());
    return nodeOnly(name, spec, settings);
  }

  /** The node of an instance that exists. */
  NodeOperations nodeOnly(String name, EniSpec spec, NodeSettings settings) {
    NodeOperations node = provider.createNode(settings, resource(name, spec));
    resync();
    return node;
  }

  static NodeResource resource(String name, EniSpec spec) {
    return Samples.node(name).instanceId("i-" + name).eniSpec(spec).build();
  }

  SyncOutcome resync() {
    return ended(provider.resync(context()));
  }

  SyncOutcome sync(String instanceId) {
    return ended(provider.instanceSync(new InstanceId(instanceId), context()));
  }

  CallContext context() {
    return CallContext.of(
        "",
        Priority.of(Priority.Rank.BELOW_WATERMARK),
        time.nanos() + Duration.ofMinutes(1).toNanos(),
        new Cancellation());
  }

  /** Plans and does one allocation as core would: on the interface chosen, else on a new one. */
  AllocationOutcome allocate(NodeOperations node, int wanted) {
    AllocationAction plan = node.prepareIpAllocation();
    AllocationAction action = plan.with(plan.ipv4().wanting(wanted, OptionalInt.empty()), 0);
    return action.onInterface().isPresent()
        ? ended(node.allocateIps(action, context()))
        : ended(node.createInterface(action, context()));
  }

  /** Runs what is due and answers what the stage ended with. */
  <T> T ended(CompletionStage<T> stage) {
    time.runUntil(time.nanos());
    Optional<T> value = Optional.ofNullable(stage.toCompletableFuture().getNow(null));
    return value.orElseThrow(() -> new AssertionError("the stage has not ended"));
  }

  void pass(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
  }

  static Inventory.Known known(NodeOperations node) {
    return (Inventory.Known) node.inventory();
  }

  /** Pod addresses of a node, blocks counted whole. */
  static int size(NodeOperations node) {
    return known(node).interfaces().stream().mapToInt(AttachedInterface::size).sum();
  }

  static AddressSet addresses(NodeOperations node) {
    return AttachedInterface.addressesOf(known(node).interfaces());
  }

  static AddressSet addresses(String... texts) {
    return AddressSet.copyOf(Stream.of(texts).map(IpAddress::parse).toList());
  }

  /** Settings from a map. */
  record MapConfig(Map<String, String> values) implements ConfigSource {
    @Override
    public Optional<String> value(String key) {
      return Optional.ofNullable(values.get(key));
    }

    @Override
    public String origin(String key) {
      return "test";
    }

    @Override
    public SortedSet<String> keys() {
      return new TreeSet<>(new TreeMap<>(values).keySet());
    }
  }
}
