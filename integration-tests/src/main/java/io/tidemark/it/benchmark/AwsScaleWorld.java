package io.tidemark.it.benchmark;

import io.tidemark.config.ConfigSource;
import io.tidemark.provider.aws.AwsProviderFactory;
import io.tidemark.resource.NodeResource;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.Instance;
import software.amazon.awssdk.services.ec2.model.InstanceType;

/**
 * A cluster for the scale runs: the engine with the AWS provider as the program makes it, and the
 * strict EC2 without buckets in a process of its own, behind HTTP on the loopback interface.
 */
final class AwsScaleWorld implements AutoCloseable {
  private static final int WORKERS = 50;
  private static final int LAUNCHED_AT_ONCE = 100;
  private static final String IMAGE = "ami-0123456789abcdef0";

  private final EmulatorChild emulator;
  private final Ec2Client owner;
  private final String vpc;
  private final String subnet;
  private final ScaleEngine engine;

  AwsScaleWorld() throws IOException {
    this.emulator = EmulatorChild.start();
    URI endpoint = emulator.endpoint();
    this.owner = EmulatorWorld.overHttp(endpoint);
    this.subnet = EmulatorWorld.subnet(owner);
    this.vpc = owner.describeSubnets(r -> r.subnetIds(subnet)).subnets().get(0).vpcId();
    System.setProperty("aws.accessKeyId", "111111111111");
    System.setProperty("aws.secretAccessKey", "any");
    this.engine =
        new ScaleEngine(
            ThreadTaskScheduler.start("timer", SystemTime.instance()),
            WORKERS,
            Duration.ZERO,
            ConfigSource.of(
                Map.of(
                    "ec2-api-endpoint", endpoint.toString(),
                    "aws-region", "us-east-1",
                    "cluster-name", "scale")),
            new AwsProviderFactory());
  }

  ScaleEngine engine() {
    return engine;
  }

  /** So many running instances, and their resources as values. */
  List<NodeResource> launch(int count, InstanceType type, int preAllocate) {
    List<NodeResource> nodes = new ArrayList<>();
    while (nodes.size() < count) {
      int more = Math.min(LAUNCHED_AT_ONCE, count - nodes.size());
      for (Instance each :
          owner
              .runInstances(
                  r ->
                      r.imageId(IMAGE)
                          .instanceType(type)
                          .minCount(more)
                          .maxCount(more)
                          .subnetId(subnet))
              .instances()) {
        nodes.add(
            ScaleEngine.node(
                "node-" + nodes.size(),
                each.instanceId(),
                preAllocate,
                type.toString(),
                subnet,
                vpc,
                each.placement().availabilityZone()));
      }
    }
    return nodes;
  }

  @Override
  public void close() {
    engine.close();
    owner.close();
    emulator.close();
  }
}
