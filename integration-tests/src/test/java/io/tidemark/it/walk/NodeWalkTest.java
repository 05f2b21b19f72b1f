package io.tidemark.it.walk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.cluster.PendingPods;
import io.tidemark.config.ConfigSource;
import io.tidemark.ip.Cidr;
import io.tidemark.metrics.NoMetrics;
import io.tidemark.node.NodeManager;
import io.tidemark.node.NodeManagerConfig;
import io.tidemark.node.NodeManagerPorts;
import io.tidemark.provider.mock.MockProviderFactory;
import io.tidemark.provider.mock.cloud.CloudSettings;
import io.tidemark.provider.mock.cloud.InstanceLaunch;
import io.tidemark.provider.mock.cloud.MockCloud;
import io.tidemark.provider.mock.cloud.Subnet;
import io.tidemark.provider.mock.cloud.Vpc;
import io.tidemark.resilience.StandardCloudCallsFactory;
import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.spi.ProviderContext;
import io.tidemark.testing.Samples;
import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectModel;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A node appears, addresses arrive: every request that leaves, in order, on the mock cloud. */
class NodeWalkTest {
  private final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  private final List<String> steps = new ArrayList<>();

  @Test
  @DisplayName("The walk: upsert, plan, one request to the cloud, status, then spec")
  void walk() {
    MockCloud cloud = new MockCloud(CloudSettings.calm(), time);
    cloud.setup().vpc(new Vpc("vpc-a", Cidr.parse("10.0.0.0/16"), List.of()));
    cloud
        .setup()
        .subnet(new Subnet("subnet-a", "vpc-a", "zone-a", Cidr.parse("10.0.0.0/24"), Map.of()));
    Object unusedPrimary =
        cloud.setup().launch(InstanceLaunch.of("i-node1", "m5.large", "subnet-a"));

    InMemoryNodeResourceStore server = new InMemoryNodeResourceStore();
    NodeResourceStore client = server.client(time);
    NodeManager manager =
        new NodeManager(
            NodeManagerConfig.defaults(),
            new NodeManagerPorts(
                new MockProviderFactory(cloud).create(context()),
                client,
                time,
                time,
                traced("API server", Duration.ofMillis(5)),
                NoMetrics.IPAM,
                PendingPods.UNKNOWN,
                new Random(1)));
    manager.start();
    time.runUntil(Duration.ofSeconds(2).toNanos());
    steps.clear();

    client.watch(manager.watcher());
    server.create(
        Samples.node("node1")
            .instanceId("i-node1")
            .preAllocate(8)
            .eniSpec(Samples.eniSpec("m5.large"))
            .build());
    time.runUntil(Duration.ofSeconds(5).toNanos());
    NodeResource written = server.find("node1").orElseThrow();
    manager.close();

    steps.forEach(System.out::println);
    assertEquals(8, written.pool().size());
    assertTrue(written.eniStatus().isPresent(), () -> "no status.eni in " + written);
    assertEquals(
        List.of("AssignPrivateIpAddresses", "updateStatus", "update"),
        steps.stream()
            .map(step -> step.substring(step.lastIndexOf(' ') + 1))
            .filter(operation -> !operation.startsWith("Describe"))
            .dropWhile(operation -> operation.equals("updateStatus"))
            .toList());
  }

  private ProviderContext context() {
    EffectRunner effects = traced("cloud", Duration.ofMillis(400));
    return new ProviderContext(
        "walk",
        ConfigSource.of(Map.of()),
        time,
        new Random(1),
        StandardCloudCallsFactory.unlimited(time, effects, new Random(1)),
        NoMetrics.INTERFACES,
        OperatorNotices.NONE);
  }

  /** Every request is noted with its time and answered after {@code travel} each way. */
  private EffectRunner traced(String where, Duration travel) {
    return time.effects(
        new EffectModel() {
          @Override
          public EffectFate decide(EffectSite site, Duration timeout) {
            steps.add(
                String.format(Locale.ROOT, "%5d ms  %-10s %s", millis(), where, site.operation()));
            return EffectFate.answered(travel, travel);
          }
        });
  }

  private long millis() {
    return Duration.ofNanos(time.nanos()).toMillis();
  }
}
