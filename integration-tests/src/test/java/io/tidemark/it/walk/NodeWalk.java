package io.tidemark.it.walk;

import io.tidemark.cluster.PendingPods;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.ip.IpAddress;
import io.tidemark.metrics.Meters;
import io.tidemark.node.NodeManager;
import io.tidemark.node.NodeManagerPorts;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.provider.aws.ec2.Copies;
import io.tidemark.provider.aws.ec2.Ec2Accounts;
import io.tidemark.provider.aws.ec2.Ec2CallLimits;
import io.tidemark.provider.aws.ec2.EmulatedEc2;
import io.tidemark.provider.aws.eni.OneAccount;
import io.tidemark.provider.aws.eni.SettingsSample;
import io.tidemark.provider.aws.limits.InstanceTypeLimits;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.CloudCallsConfig;
import io.tidemark.resilience.Fence;
import io.tidemark.resilience.LearnedRates;
import io.tidemark.resilience.StandardCloudCallsFactory;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.resource.UsedAddress;
import io.tidemark.testing.Samples;
import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectModel;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.Lanes;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A node appears, pods take its addresses, others arrive, over the strict EC2. A function of
 * standard types, so that another class loader can run it.
 */
public final class NodeWalk implements Function<Map<String, Runnable>, List<String>> {
  private final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  private final List<String> steps = new ArrayList<>();
  private final InMemoryNodeResourceStore server = new InMemoryNodeResourceStore();
  private final NodeResourceStore agent = server.client(time);
  private Runnable began = () -> {};
  private Runnable ended = () -> {};

  /**
   * Runs the burst.
   *
   * @param hooks "upsert" runs before the engine hears that pods use addresses, "written" once the
   *     status is written and the spec is next
   * @return every request of the burst, in order
   */
  @Override
  public List<String> apply(Map<String, Runnable> hooks) {
    EmulatedEc2 ec2 = new EmulatedEc2(time, Ec2ModelOptions.of(1, Ec2InstanceTypes.bundled()));
    String subnet = ec2.subnet("10.0.0.0/24");
    String instance = ec2.launch("m5.xlarge", subnet, Map.of());
    CloudCalls calls =
        new StandardCloudCallsFactory(
                CloudCallsConfig.defaults(),
                time,
                traced("cloud", Duration.ofMillis(400)),
                new Random(3),
                Meters.none(),
                LearnedRates.NONE,
                Fence.OPEN)
            .create(Ec2CallLimits.of("111111111111", "us-east-1", 1));
    NodeResourceStore client = server.client(time);
    NodeManager manager =
        new NodeManager(
            EngineConfig.defaults(),
            new NodeManagerPorts(
                OneAccount.of(
                    Ec2Accounts.one(ec2.api()),
                    calls,
                    SettingsSample.USUAL,
                    "walk",
                    new InstanceTypeLimits(Map.of(), ec2::api, calls, time, Meters.none()),
                    time),
                client,
                time,
                new Lanes(time, 1),
                traced("API server", Duration.ofMillis(5)),
                Meters.none(),
                PendingPods.UNKNOWN,
                new Random(1)));
    manager.start();
    time.runUntil(Duration.ofSeconds(2).toNanos());
    client.watch(watcher(manager));
    server.create(
        Samples.node("node1")
            .instanceId(instance)
            .preAllocate(8)
            .eniSpec(
                Copies.with(
                    EniSpec.EMPTY,
                    Map.of(
                        "instanceType", "m5.xlarge",
                        "firstInterfaceIndex", OptionalInt.of(0),
                        "nodeSubnetId", subnet,
                        "vpcId", ec2.vpc(),
                        "availabilityZone", ec2.zone())))
            .build());
    time.runUntil(Duration.ofSeconds(20).toNanos());
    NodeResource written = server.find("node1").orElseThrow();
    Map<IpAddress, UsedAddress> used = new TreeMap<>();
    written.pool().addresses().first(5).forEach(each -> used.put(each, new UsedAddress("pod", "")));
    expect(8, written);
    steps.clear();
    began = Objects.requireNonNull(hooks.get("upsert"));
    ended = Objects.requireNonNull(hooks.get("written"));
    agent.updateStatus(written, written.withUsed(used));
    time.runUntil(Duration.ofSeconds(30).toNanos());
    expect(13, server.find("node1").orElseThrow());
    manager.close();
    return steps;
  }

  private static void expect(int addresses, NodeResource node) {
    if (node.pool().size() != addresses || node.eniStatus().isEmpty()) {
      throw new AssertionError("not " + addresses + " addresses: " + node);
    }
  }

  private NodeResourceStore.Watcher watcher(NodeManager manager) {
    return new NodeResourceStore.Watcher() {
      @Override
      public void upserted(NodeResource resource) {
        began.run();
        began = () -> {};
        manager.upsert(resource);
      }

      @Override
      public void deleted(String name) {
        manager.delete(name);
      }

      @Override
      public void refused(String name, List<ResourceProblem> problems) {
        manager.refused(name, problems);
      }

      @Override
      public void synced() {
        manager.watcher().synced();
      }
    };
  }

  /** Every request is noted with its time and answered after {@code travel} each way. */
  private EffectRunner traced(String where, Duration travel) {
    return time.effects(
        new EffectModel() {
          @Override
          public EffectFate decide(EffectSite site, Duration timeout) {
            steps.add(
                String.format(
                    Locale.ROOT,
                    "%5d ms  %-10s %s",
                    Duration.ofNanos(time.nanos()).toMillis(),
                    where,
                    site.operation()));
            if (site.operation().equals("update")) {
              ended.run();
              ended = () -> {};
            }
            return EffectFate.answered(travel, travel);
          }
        });
  }
}
