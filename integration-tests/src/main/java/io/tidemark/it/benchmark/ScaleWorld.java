package io.tidemark.it.benchmark;

import io.tidemark.config.ConfigSource;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.mock.MockProviderFactory;
import io.tidemark.provider.mock.cloud.CloudSettings;
import io.tidemark.provider.mock.cloud.MockCloud;
import io.tidemark.provider.mock.cloud.MockSubnet;
import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.NodeResource;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A cluster for the scale runs: the engine and the mock cloud, without latency and limits. */
final class ScaleWorld implements AutoCloseable {
  private static final int WORKERS = 50;

  final MockCloud cloud;
  final InMemoryNodeResourceStore server;
  private final ScaleEngine engine;

  /** No latency, as many requests at a time as the operator's default. */
  ScaleWorld() {
    this(WORKERS, Duration.ZERO);
  }

  /** At most {@code workers} requests to the cloud at a time, each of which takes {@code delay}. */
  ScaleWorld(int workers, Duration delay) {
    ThreadTaskScheduler scheduler = ThreadTaskScheduler.start("timer", SystemTime.instance());
    this.cloud = new MockCloud(CloudSettings.calm(), scheduler.time());
    cloud
        .state()
        .subnet(
            new MockSubnet(
                "subnet-1", "vpc-1", List.of(), "zone-a", Cidr.parse("10.0.0.0/9"), Map.of()));
    this.engine =
        new ScaleEngine(
            scheduler, workers, delay, ConfigSource.of(Map.of()), new MockProviderFactory(cloud));
    this.server = engine.server;
  }

  /** The engine with its resources. */
  ScaleEngine engine() {
    return engine;
  }

  /** An instance with one empty primary interface, and its resource as a value. */
  NodeResource instance(int index, String type, int preAllocate) {
    String id = String.format(Locale.ROOT, "i-%08d", index);
    cloud.state().launch(id, type, "subnet-1", Map.of());
    return ScaleEngine.node("node-" + index, id, preAllocate, type, "subnet-1", "vpc-1", "zone-a");
  }

  @Override
  public void close() {
    engine.close();
  }
}
