package io.tidemark.it.nodecidr;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNode.PodCidrs;
import io.tidemark.cluster.InMemoryClusterNodes;
import io.tidemark.cluster.ObjectEvents;
import io.tidemark.cluster.run.ControllerParts;
import io.tidemark.config.ConfigSource;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.Meters;
import io.tidemark.nodecidr.CidrAllocatorType;
import io.tidemark.nodecidr.cloud.CloudSource;
import io.tidemark.nodecidr.controller.CidrNodeReport;
import io.tidemark.nodecidr.controller.CidrTakeOver;
import io.tidemark.nodecidr.controller.ControllerSettings;
import io.tidemark.nodecidr.controller.NodeCidrController;
import io.tidemark.nodecidr.ledger.ClusterCidrs;
import io.tidemark.nodecidr.ledger.ClusterCidrs.FamilyRanges;
import io.tidemark.provider.mock.MockProviderFactory;
import io.tidemark.provider.mock.cloud.CloudSettings;
import io.tidemark.provider.mock.cloud.MockCloud;
import io.tidemark.provider.mock.cloud.MockSubnet;
import io.tidemark.resilience.Fence;
import io.tidemark.resilience.StandardCloudCallsFactory;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.spi.ProviderContext;
import io.tidemark.time.EffectModel;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.VirtualProcess;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Nodes follow the ranges of instances of the mock cloud")
class MockRangesTest {
  private static final String INSTANCE = "i-1";
  private static final String ID = "mock:///zone-a/" + INSTANCE;

  private final VirtualTime time = new VirtualTime(0);
  private final MockCloud cloud = new MockCloud(CloudSettings.calm(), time);
  private final InMemoryClusterNodes server = new InMemoryClusterNodes(time);

  @DisplayName(
      "NC-41 NC-42 NC-43 NC-44 NC-45 NC-46 NC-47 NC-48 NC-51 NC-52 NC-53 NC-54 CloudAllocator writes"
          + " what the cluster's families need")
  @ParameterizedTest(name = "{0} {1}, node {2}, ranges {3}: {4}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          # families  | provider id             | has            | ranges                                   | after                            | matter
          IPv4        | -                       | -              | 192.168.1.0/24                           | -                                | CLOUD_RANGE_MISSING
          IPv4        | other:///i-1            | -              | 192.168.1.0/24                           | -                                | -
          IPv4        | mock:///zone-a/i-2      | -              | 192.168.1.0/24                           | -                                | CLOUD_RANGE_MISSING
          IPv4        | mock:///zone-a/i-1      | -              | -                                        | -                                | CLOUD_RANGE_MISSING
          IPv4        | mock:///zone-a/i-1      | -              | 192.168.1.0/24                           | 192.168.1.0/24                   | -
          IPv4        | mock:///zone-a/i-1      | -              | 2001:db9::/112 192.168.1.0/24            | 192.168.1.0/24                   | -
          IPv4 IPv6   | mock:///zone-a/i-1      | -              | 192.168.1.0/24 2001:db9::/112            | 192.168.1.0/24 2001:db9::/112    | -
          IPv6 IPv4   | mock:///zone-a/i-1      | -              | 192.168.1.0/24 2001:db9::/112            | 2001:db9::/112 192.168.1.0/24    | -
          IPv6        | mock:///zone-a/i-1      | -              | 192.168.1.0/24 2001:db9::/112            | 2001:db9::/112                   | -
          IPv4 IPv6   | mock:///zone-a/i-1      | -              | 192.168.1.0/24                           | -                                | CLOUD_RANGE_MISSING
          IPv4        | mock:///zone-a/i-1      | -              | 192.168.1.0/24 192.168.2.0/24            | 192.168.1.0/24                   | -
          IPv4        | mock:///zone-a/i-1      | -              | 192.168.2.0/24 192.168.1.0/24            | 192.168.2.0/24                   | -
          IPv4        | mock:///zone-a/i-1      | 192.168.1.0/24 | 192.168.1.0/24                           | 192.168.1.0/24                   | -
          IPv4        | mock:///zone-a/i-1      | 192.168.7.0/24 | 192.168.1.0/24                           | 192.168.7.0/24                   | CLOUD_MISMATCH
          """)
  void cloudAllocator(
      String families, String id, String has, String ranges, String after, String matter) {
    ClusterCidrs cidrs =
        new ClusterCidrs(
            Stream.of(families.split(" ", -1))
                .map(each -> each.equals("IPv4") ? IpFamily.IPV4 : IpFamily.IPV6)
                .map(FamilyRanges::ofCloud)
                .toList(),
            List.of());

    CidrNodeReport report = run(CidrAllocatorType.CLOUD_ALLOCATOR, cidrs, id, has, ranges);

    ClusterNode node = server.find("n1").orElseThrow();
    assertThat(node.podCidrs().texts()).isEqualTo(words(after));
    assertThat(node.podCidrs().first()).isEqualTo(words(after).stream().findFirst().orElse(""));
    assertThat(report.matters().stream().map(each -> each.code().name()))
        .isEqualTo(Optional.ofNullable(matter).stream().toList());
    boolean isDone = after != null && matter == null;
    assertThat(node.networkUnavailable()).isEqualTo(isDone ? Optional.of(false) : Optional.empty());
  }

  @DisplayName(
      "NC-60 NC-61 NC-62 NC-63 NC-64 NC-65 the modes that synchronize do as their table says")
  @ParameterizedTest(name = "{0}, node {1}, ranges {2}: {3}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          # type          | has          | ranges       | node after   | instance after | matter
          IPAMFromCloud   | -            | -            | -            | -              | CIDR_MODE
          IPAMFromCloud   | -            | 10.1.4.0/24  | 10.1.4.0/24  | 10.1.4.0/24    | -
          IPAMFromCloud   | -            | 10.1.0.0/16  | 10.1.0.0/16  | 10.1.0.0/16    | -
          IPAMFromCloud   | 10.1.1.0/24  | -            | 10.1.1.0/24  | -              | CIDR_MODE
          IPAMFromCluster | -            | -            | 10.1.0.0/24  | 10.1.0.0/24    | -
          IPAMFromCluster | -            | 10.1.4.0/24  | 10.1.4.0/24  | 10.1.4.0/24    | -
          IPAMFromCluster | -            | 10.9.4.0/24  | -            | 10.9.4.0/24    | CIDR_MODE
          IPAMFromCluster | 10.1.1.0/24  | -            | 10.1.1.0/24  | 10.1.1.0/24    | -
          IPAMFromCluster | 10.1.1.0/24  | 10.1.2.0/24  | 10.1.1.0/24  | 10.1.2.0/24    | CLOUD_MISMATCH
          """)
  void sync(String type, String has, String ranges, String node, String instance, String matter) {
    ClusterCidrs cidrs = ClusterCidrs.of(Cidr.parse("10.1.0.0/16"), 24);

    CidrNodeReport report = run(CidrAllocatorType.of(type).orElseThrow(), cidrs, ID, has, ranges);

    assertThat(server.find("n1").orElseThrow().podCidrs().texts()).isEqualTo(words(node));
    assertThat(cloud.attachedTo(INSTANCE).get(0).aliasRanges().stream().map(Cidr::toString))
        .containsExactlyElementsOf(words(instance));
    assertThat(report.matters().stream().map(each -> each.code().name()))
        .isEqualTo(Optional.ofNullable(matter).stream().toList());
  }

  private static List<String> words(String text) {
    return text == null ? List.of() : List.of(text.split(" ", -1));
  }

  /** One node on one instance, ten seconds later. */
  private CidrNodeReport run(
      CidrAllocatorType type, ClusterCidrs cidrs, String id, String has, String ranges) {
    Cidr network = Cidr.parse("10.200.0.0/16");
    cloud
        .setup()
        .subnet(new MockSubnet("subnet-1", "vpc-1", List.of(network), "zone-a", network, Map.of()));
    cloud.setup().launch(INSTANCE, "m5.large", "subnet-1");
    words(ranges).forEach(each -> cloud.setup().aliasRange(INSTANCE, Cidr.parse(each)));
    PodCidrs before =
        has == null ? PodCidrs.NONE : PodCidrs.of(List.of(Cidr.parse(has)), "before-us");
    server.create(
        ClusterNode.named("n1", "").withProviderId(id == null ? "" : id).withPodCidrs(before));
    VirtualProcess process = time.process("operator");
    EffectRunner network5ms =
        process.effects(EffectModel.reliable(Duration.ofMillis(5), Duration.ofMillis(5)));
    CloudSource source =
        CloudSource.of(
            type,
            new MockProviderFactory(cloud)
                .create(
                    new ProviderContext(
                        "example",
                        ConfigSource.of(Map.of()),
                        process,
                        new Random(1),
                        StandardCloudCallsFactory.unlimited(process, network5ms, new Random(1)),
                        Meters.none(),
                        OperatorNotices.NONE)));
    NodeCidrController controller =
        new NodeCidrController(
            new ControllerSettings(
                cidrs, Duration.ofMinutes(1), false, 4, Duration.ofSeconds(10), "tidemark"),
            new ControllerParts(
                server.client("tidemark", process),
                ObjectEvents.NONE,
                Meters.none(),
                network5ms,
                process,
                process,
                Fence.OPEN,
                new Random(1)),
            Optional.of(source),
            Optional.empty());
    controller.start(CidrTakeOver::clean);
    time.runUntil(time.nanos() + Duration.ofSeconds(10).toNanos());
    return controller.report("n1").orElseThrow();
  }
}
