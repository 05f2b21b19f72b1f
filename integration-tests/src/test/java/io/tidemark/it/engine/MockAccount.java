package io.tidemark.it.engine;

import io.tidemark.cluster.ClosedNodes;
import io.tidemark.cluster.KubeletCapacity;
import io.tidemark.cluster.ObjectEvents;
import io.tidemark.cluster.PendingPods;
import io.tidemark.cluster.TaintedNodes;
import io.tidemark.config.ConfigSource;
import io.tidemark.ip.IpAddress;
import io.tidemark.metrics.Meters;
import io.tidemark.node.NodeManager;
import io.tidemark.node.NodeManagerPorts;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.provider.mock.MockProviderFactory;
import io.tidemark.provider.mock.cloud.CloudSettings;
import io.tidemark.provider.mock.cloud.MockCloud;
import io.tidemark.provider.mock.cloud.MockSubnet;
import io.tidemark.resilience.StandardCloudCallsFactory;
import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.spi.ProviderContext;
import io.tidemark.testing.Samples;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.Lanes;
import io.tidemark.time.TaskScheduler;
import io.tidemark.time.TimeSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Executor;

/** A mock cloud with an m5.large for each node, and engines on it. */
final class MockAccount {
  private static final long SEED = 7;

  final MockCloud cloud;

  MockAccount(TimeSource time, List<String> nodes) {
    cloud = new MockCloud(CloudSettings.calm(), time);
    cloud.state().subnet(MockSubnet.of("subnet-a", "10.0.0.0/20"));
    for (String node : nodes) {
      cloud.state().launch("i-" + node, "m5.large", "subnet-a", Map.of());
    }
  }

  /** The object as the agent of that node makes it. */
  static NodeResource introduced(String node, IpamSpec ipam) {
    return NodeResource.named(node)
        .withInstanceId("i-" + node)
        .withEniSpec(Samples.eniSpec("m5.large"))
        .withIpam(ipam);
  }

  /** Addresses for pods that the instance of a node has, with their interfaces. */
  Map<IpAddress, String> secondaryAddresses(String node) {
    Map<IpAddress, String> all = new TreeMap<>();
    cloud
        .state()
        .attachedTo("i-" + node)
        .forEach(each -> each.singles().forEach(address -> all.put(address, each.id().text())));
    return all;
  }

  /** Whether the pool of a node is what its instance has. */
  boolean hasPoolOf(NodeResource node) {
    Map<IpAddress, String> pool = new TreeMap<>();
    node.pool()
        .byResource()
        .forEach((id, addresses) -> addresses.forEach(address -> pool.put(address, id)));
    return pool.equals(secondaryAddresses(node.name()));
  }

  /**
   * An engine that is not started.
   *
   * @param toCloud and {@code toStore} carry its requests
   */
  NodeManager engine(
      EngineConfig config,
      NodeResourceStore store,
      TaskScheduler scheduler,
      Executor lanes,
      EffectRunner toCloud,
      EffectRunner toStore,
      ObjectEvents events) {
    ProviderContext context =
        new ProviderContext(
            "example",
            ConfigSource.of(Map.of()),
            scheduler,
            new Random(SEED),
            StandardCloudCallsFactory.unlimited(scheduler, toCloud, new Random(SEED)),
            Meters.none(),
            OperatorNotices.NONE);
    return new NodeManager(
        config,
        new NodeManagerPorts(
            new MockProviderFactory(cloud).create(context),
            store,
            scheduler,
            new Lanes(lanes, 1),
            toStore,
            Meters.none(),
            PendingPods.UNKNOWN,
            KubeletCapacity.UNKNOWN,
            ClosedNodes.NONE,
            new Random(SEED),
            events,
            TaintedNodes.NONE));
  }
}
