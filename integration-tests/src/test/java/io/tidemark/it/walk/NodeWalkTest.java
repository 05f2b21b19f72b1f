package io.tidemark.it.walk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.cluster.PendingPods;
import io.tidemark.config.ConfigSource;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
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
import io.tidemark.resource.UsedAddress;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A node appears, pods take its addresses, others arrive, on the mock cloud: every request that
 * leaves, in order, and the files that a reader opens who follows the code from the event to the
 * written pool.
 */
class NodeWalkTest {
  private final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  private static final int FILES_MAX = 20;

  /** Stand-ins of the test for threads and for the API server. */
  private static final Pattern STAND_IN =
      Pattern.compile(".*\\.(it\\..*|Virtual\\w+|InMemory\\w+)");

  private final List<String> steps = new ArrayList<>();

  /** Files whose methods are under way when a turn or a request begins. */
  private final Map<String, Set<String>> files = new LinkedHashMap<>();

  private final InMemoryNodeResourceStore server = new InMemoryNodeResourceStore();
  private final NodeResourceStore agent = server.client(time);

  @Test
  @DisplayName("The walk: upsert, plan, one request to the cloud, status, then spec; 20 files")
  void walk() {
    NodeManager manager = started();
    server.create(
        Samples.node("node1")
            .instanceId("i-node1")
            .preAllocate(8)
            .eniSpec(Samples.eniSpec("m5.xlarge"))
            .build());
    time.runUntil(Duration.ofSeconds(5).toNanos());
    NodeResource written = server.find("node1").orElseThrow();
    assertEquals(8, written.pool().size());
    assertTrue(written.eniStatus().isPresent(), () -> "no status.eni in " + written);
    assertEquals(List.of("AssignPrivateIpAddresses", "updateStatus", "update"), changes());

    steps.clear();
    files.clear();
    Map<IpAddress, UsedAddress> used = new TreeMap<>();
    written.pool().addresses().first(5).forEach(each -> used.put(each, new UsedAddress("pod", "")));
    Object unusedAnswer = agent.updateStatus(written, written.withUsed(used));
    time.runUntil(Duration.ofSeconds(10).toNanos());

    assertEquals(13, server.find("node1").orElseThrow().pool().size());
    assertEquals(List.of("AssignPrivateIpAddresses", "updateStatus", "update"), changes());
    Set<String> opened = new TreeSet<>();
    files.values().forEach(opened::addAll);
    steps.forEach(System.out::println);
    files.forEach((begins, names) -> System.out.println(begins + ": " + String.join(" ", names)));
    System.out.println(opened.size() + " files in all");
    manager.close();
    assertTrue(opened.size() <= FILES_MAX, () -> opened.size() + " files: " + opened);
  }

  private NodeManager started() {
    MockCloud cloud = new MockCloud(CloudSettings.calm(), time);
    cloud.setup().vpc(new Vpc("vpc-a", Cidr.parse("10.0.0.0/16"), List.of()));
    cloud
        .setup()
        .subnet(new Subnet("subnet-a", "vpc-a", "zone-a", Cidr.parse("10.0.0.0/24"), Map.of()));
    Object unusedPrimary =
        cloud.setup().launch(InstanceLaunch.of("i-node1", "m5.xlarge", "subnet-a"));
    NodeResourceStore client = server.client(time);
    NodeManager manager =
        new NodeManager(
            NodeManagerConfig.defaults(),
            new NodeManagerPorts(
                new MockProviderFactory(cloud).create(context()),
                client,
                time,
                this::turn,
                traced("API server", Duration.ofMillis(5)),
                NoMetrics.IPAM,
                PendingPods.UNKNOWN,
                new Random(1)));
    manager.start();
    time.runUntil(Duration.ofSeconds(2).toNanos());
    client.watch(manager.watcher());
    return manager;
  }

  /** Requests that change something, in order; the status that says what was found first apart. */
  private List<String> changes() {
    return steps.stream()
        .map(step -> step.substring(step.lastIndexOf(' ') + 1))
        .filter(operation -> !operation.startsWith("Describe"))
        .dropWhile(operation -> operation.equals("updateStatus"))
        .toList();
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
            open(site.operation());
            return EffectFate.answered(travel, travel);
          }
        });
  }

  private void turn(Runnable task) {
    open("turn");
    time.execute(task);
  }

  /** Notes the files whose methods are under way: who follows the code has them open. */
  private void open(String handOver) {
    Set<String> noted = files.computeIfAbsent(handOver, key -> new TreeSet<>());
    StackWalker.getInstance()
        .forEach(
            frame -> {
              String name = frame.getClassName().replaceAll("\\$.*", "");
              if (name.startsWith("io.tidemark.") && !STAND_IN.matcher(name).matches()) {
                noted.add(name.substring(name.lastIndexOf('.') + 1));
              }
            });
  }

  private long millis() {
    return Duration.ofNanos(time.nanos()).toMillis();
  }
}
