package io.tidemark.it.localstack;

import static io.tidemark.it.localstack.SdkValues.filter;
import static io.tidemark.it.localstack.SdkValues.tag;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.it.program.NodeFolder;
import io.tidemark.it.program.OperatorProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.NetworkInterface;
import software.amazon.awssdk.services.ec2.model.NetworkInterfacePrivateIpAddress;
import software.amazon.awssdk.services.ec2.model.ResourceType;
import software.amazon.awssdk.services.ec2.model.TagSpecification;

/**
 * The program's main job on LocalStack. It gives one address out twice now and then, keeps no
 * delete-on-termination and counts free addresses in its own way, so the subnet is large and none
 * of that is looked at.
 */
@Tag(LocalStack.TAG)
@DisplayName("tidemark run --provider=aws on LocalStack")
class LocalStackMainJobTest {
  private static final AtomicInteger ACCOUNTS = new AtomicInteger();
  private static final String FILE = "worker.yaml";
  private static final String MARKED = "marked-for-release";

  @TempDir private Path directory;
  private final String account = String.format(Locale.ROOT, "2%011d", ACCOUNTS.incrementAndGet());
  @AutoClose private Ec2Client ec2;
  private String vpc;
  private String subnet;
  private String instance;
  private NodeFolder nodes;

  @BeforeEach
  void build() {
    ec2 = LocalStack.ec2(account);
    nodes = new NodeFolder(directory);
    vpc = ec2.createVpc(r -> r.cidrBlock("10.20.0.0/16")).vpc().vpcId();
    subnet =
        ec2.createSubnet(r -> r.vpcId(vpc).cidrBlock("10.20.0.0/16").availabilityZone("us-east-1a"))
            .subnet()
            .subnetId();
    instance =
        ec2.runInstances(
                r ->
                    r.imageId("ami-0123456789abcdef0")
                        .instanceType("m5.large")
                        .minCount(1)
                        .maxCount(1)
                        .subnetId(subnet))
            .instances()
            .get(0)
            .instanceId();
  }

  private static String manifest(String instance, String subnet, String vpc, String ipam) {
    return """
        apiVersion: cilium.io/v2
        kind: CiliumNode
        metadata:
          name: worker
        spec:
          instance-id: %s
          eni:
            availability-zone: us-east-1a
            delete-on-termination: false
            first-interface-index: 0
            instance-type: m5.large
            node-subnet-id: %s
            vpc-id: %s
          ipam:
            %s
        """
        .formatted(instance, subnet, vpc, ipam);
  }

  private List<String> arguments(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(
        List.of(
            "--provider=aws",
            "--nodes=" + directory,
            "--aws-region=us-east-1",
            "--cluster-name=blue",
            "--ec2-api-endpoint=" + LocalStack.endpoint()));
    return all;
  }

  private OperatorProcess.Result run(String... more) {
    List<String> all = arguments("run", "--once", "--timeout=90s");
    all.addAll(List.of(more));
    OperatorProcess.Result result = OperatorProcess.run(OperatorProcess.aws(account), all).ends(0);
    return result;
  }

  /** Every secondary address of the instance, with its interface, as LocalStack has it. */
  private SortedMap<String, String> really() {
    SortedMap<String, String> all = new TreeMap<>();
    for (NetworkInterface each : interfaces("attachment.instance-id", instance)) {
      each.privateIpAddresses().stream()
          .filter(address -> !address.primary())
          .map(NetworkInterfacePrivateIpAddress::privateIpAddress)
          .forEach(address -> all.put(address, each.networkInterfaceId()));
    }
    return all;
  }

  private List<NetworkInterface> interfaces(String name, String value) {
    return ec2.describeNetworkInterfaces(r -> r.filters(filter(name, value))).networkInterfaces();
  }

  @Test
  @DisplayName("fills a pool, grows by a second interface, and gives single addresses back")
  void mainJob() {
    nodes.write(FILE, manifest(instance, subnet, vpc, "pre-allocate: 8"));
    run();
    assertThat(nodes.pool(FILE)).hasSizeGreaterThanOrEqualTo(8).isEqualTo(really());

    String grown = nodes.read(FILE).replace("pre-allocate: 8", "pre-allocate: 14");
    nodes.write(FILE, grown);
    run();
    assertThat(nodes.pool(FILE)).hasSizeGreaterThanOrEqualTo(14).isEqualTo(really());
    assertThat(new TreeSet<>(nodes.pool(FILE).values())).hasSize(2);
    assertThat(interfaces("tag:tidemark.io/cluster", "blue")).hasSize(1);

    nodes.write(FILE, nodes.read(FILE).replace("pre-allocate: 14", "pre-allocate: 10"));
    run("--release-excess-ips", "--excess-ip-release-delay=300ms");
    assertThat(nodes.read(FILE)).contains("release-ips:").contains(": " + MARKED);
    int before = really().size();
    nodes.write(FILE, nodes.read(FILE).replace(": " + MARKED, ": ready-for-release"));
    run("--release-excess-ips", "--excess-ip-release-delay=300ms");
    assertThat(really()).hasSizeLessThan(before);
    assertThat(nodes.pool(FILE)).isEqualTo(really());

    SortedMap<String, String> last = really();
    String settled = nodes.read(FILE);
    assertThat(run().out()).doesNotContainPattern("Assign|Create|Attach|Delete|Unassign");
    assertThat(really()).isEqualTo(last);
    assertThat(nodes.read(FILE)).isEqualTo(settled);
  }

  @Test
  @DisplayName("deletes an interface of the cluster that was left over, and no other")
  void garbage() throws Exception {
    nodes.write(FILE, manifest(instance, subnet, vpc, "pre-allocate: 2"));
    String left = leftOver("blue");
    String others = leftOver("green");
    List<String> arguments = arguments("run", "--port=0", "--log-level=debug");
    arguments.addAll(
        List.of(
            "--consistency-horizon=1s", "--background-sync-interval=1s", "--eni-gc-interval=1m"));
    try (OperatorProcess program = OperatorProcess.start(OperatorProcess.aws(account), arguments)) {
      String sent = program.awaitLog(line -> line.contains("DeleteNetworkInterface=1"));
      assertThat(sent).contains("Calls.");
      assertThat(program.stop()).isZero();
    }

    assertThat(interfaces("network-interface-id", left)).isEmpty();
    assertThat(interfaces("network-interface-id", others)).hasSize(1);
  }

  private String leftOver(String cluster) {
    TagSpecification tags =
        TagSpecification.builder()
            .resourceType(ResourceType.NETWORK_INTERFACE)
            .tags(
                tag("tidemark.io/cluster", cluster),
                tag("tidemark.io/created-at", "2026-01-01T00:00:00Z"))
            .build();
    return ec2.createNetworkInterface(
            r -> r.subnetId(subnet).description("Tidemark (i-0)").tagSpecifications(tags))
        .networkInterface()
        .networkInterfaceId();
  }
}
