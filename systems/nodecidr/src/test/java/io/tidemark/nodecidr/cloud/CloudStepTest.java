package io.tidemark.nodecidr.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.NodeProblem;
import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.CidrAllocatorType;
import io.tidemark.nodecidr.TestCidrs;
import io.tidemark.nodecidr.ledger.ClusterCidrs;
import io.tidemark.nodecidr.ledger.NodePodCidrs;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What follows for a node from what cloud and node show")
class CloudStepTest {
  /** Another node has it. */
  private static final Cidr RIVAL = Cidr.parse("10.1.9.0/24");

  /** Another node had it a minute ago. */
  private static final Cidr COOLING = Cidr.parse("10.1.8.0/24");

  @DisplayName(
      "NC-37 NC-45 NC-46 NC-47 NC-48 NC-52 NC-58 NC-59 NC-60 NC-61 NC-62 NC-63 NC-64 NC-65 NC-B16"
          + " NC-B17 NC-B18 is the step of the mode")
  @ParameterizedTest(name = "{0}: node {1}, instance {2}, reserved {3}, routed {4}: {5}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          # mode and families                | node has                  | ranges                      | reserved              | routed | step
          CloudAllocator IPv4                | -                         | -                           | -                     | false  | stuck CLOUD_RANGE_MISSING
          CloudAllocator IPv4                | -                         | 10.1.1.0/24                 | -                     | false  | reserve 10.1.1.0/24
          CloudAllocator IPv4                | -                         | 10.1.1.0/24                 | 10.1.1.0/24           | false  | write
          CloudAllocator IPv4                | -                         | 10.1.2.0/24                 | 10.1.1.0/24           | false  | withdraw
          CloudAllocator IPv4                | -                         | -                           | 10.1.1.0/24           | false  | withdraw
          CloudAllocator IPv4                | -                         | fd00::/80 10.1.1.0/24       | -                     | false  | reserve 10.1.1.0/24
          CloudAllocator IPv4                | -                         | 10.1.9.0/24                 | -                     | false  | stuck CIDR_CONFLICT
          CloudAllocator IPv4                | -                         | 10.1.8.0/24                 | -                     | false  | stuck CIDR_WITHHELD
          CloudAllocator IPv4                | -                         | 10.1.1.0/24 10.1.2.0/24     | -                     | false  | reserve 10.1.1.0/24
          CloudAllocator IPv4 IPv6           | -                         | 10.1.1.0/24                 | -                     | false  | stuck CLOUD_RANGE_MISSING
          CloudAllocator IPv4 IPv6           | -                         | 10.1.1.0/24 10.1.2.0/24     | -                     | false  | stuck CLOUD_RANGE_MISSING
          CloudAllocator IPv4 IPv6           | -                         | fd00::/80 10.1.1.0/24       | -                     | false  | reserve 10.1.1.0/24 fd00::/80
          CloudAllocator IPv6 IPv4           | -                         | 10.1.1.0/24 fd00::/80       | -                     | false  | reserve fd00::/80 10.1.1.0/24
          CloudAllocator IPv6                | -                         | 10.1.1.0/24 fd00::/80       | -                     | false  | reserve fd00::/80
          CloudAllocator 10.2.0.0/16,24 IPv6 | -                         | fd00::/80                   | -                     | false  | reserve fd00::/80
          CloudAllocator 10.2.0.0/16,24 IPv6 | -                         | fd00::/80                   | 10.2.0.0/24 fd00::/80 | false  | write
          CloudAllocator 10.2.0.0/16,24 IPv6 | 10.2.0.0/24 fd00::/80     | fd00::/80                   | -                     | true   | settled
          CloudAllocator IPv4                | 10.1.1.0/24               | 10.1.1.0/24                 | -                     | true   | settled
          CloudAllocator IPv4                | 10.1.1.0/24               | 10.1.1.0/24                 | -                     | false  | announce
          CloudAllocator IPv4                | 10.1.1.0/24               | 10.1.2.0/24                 | -                     | false  | stuck CLOUD_MISMATCH
          CloudAllocator IPv4                | 10.1.1.0/24               | -                           | -                     | false  | stuck CLOUD_RANGE_MISSING
          CloudAllocator IPv4 IPv6           | 10.1.1.0/24 2001:db8::/64 | 10.1.1.0/24 2001:db8:0::/64 | -                     | true   | settled
          CloudAllocator IPv4 IPv6           | 10.1.1.0/24 2001:db8::/64 | 10.1.1.0/24 2001:dba::/64   | -                     | true   | stuck CLOUD_MISMATCH
          CloudAllocator IPv4 IPv6           | 10.1.1.0/24 2001:db8::/64 | 10.1.2.0/24 2001:db8::/64   | -                     | true   | stuck CLOUD_MISMATCH
          CloudAllocator IPv4 IPv6           | 10.1.1.0/24               | 10.1.1.0/24 2001:db8::/64   | -                     | true   | stuck CLOUD_MISMATCH
          IPAMFromCloud 10.1.0.0/16,24       | -                         | -                           | -                     | false  | stuck CIDR_MODE
          IPAMFromCloud 10.1.0.0/16,24       | -                         | 10.1.1.0/24                 | -                     | false  | reserve 10.1.1.0/24
          IPAMFromCloud 10.1.0.0/16,24       | -                         | 10.1.0.0/21                 | -                     | false  | reserve 10.1.0.0/21
          IPAMFromCloud 10.1.0.0/16,24       | -                         | 192.168.0.0/24              | -                     | false  | stuck CIDR_FOREIGN
          IPAMFromCloud 10.1.0.0/16,24       | -                         | 10.1.9.0/24                 | -                     | false  | stuck CIDR_CONFLICT
          IPAMFromCloud 10.1.0.0/16,24       | -                         | 10.1.1.0/24                 | 10.1.1.0/24           | false  | write
          IPAMFromCloud 10.1.0.0/16,24       | 10.1.1.0/24               | -                           | -                     | false  | stuck CIDR_MODE
          IPAMFromCloud 10.1.0.0/16,24       | 10.1.1.0/24               | 10.1.1.0/24                 | -                     | false  | announce
          IPAMFromCloud 10.1.0.0/16,24       | 10.1.1.0/24               | 10.1.1.0/24                 | -                     | true   | settled
          IPAMFromCloud 10.1.0.0/16,24       | 10.1.1.0/24               | 192.168.0.0/24              | -                     | true   | stuck CLOUD_MISMATCH
          IPAMFromCloud 10.1.0.0/16,24       | 10.1.1.0/24               | 10.1.2.0/24 10.1.1.0/24     | -                     | true   | settled
          IPAMFromCluster 10.1.0.0/16,24     | -                         | -                           | -                     | false  | reserve
          IPAMFromCluster 10.1.0.0/16,24     | -                         | -                           | 10.1.1.0/24           | false  | add 10.1.1.0/24
          IPAMFromCluster 10.1.0.0/16,24     | -                         | -                           | 10.1.9.0/24           | false  | withdraw
          IPAMFromCluster 10.1.0.0/16,24     | -                         | 10.1.1.0/24                 | 10.1.1.0/24           | false  | write
          IPAMFromCluster 10.1.0.0/16,24     | -                         | 10.1.2.0/24                 | 10.1.1.0/24           | false  | withdraw
          IPAMFromCluster 10.1.0.0/16,24     | -                         | 10.1.1.0/24                 | -                     | false  | reserve 10.1.1.0/24
          IPAMFromCluster 10.1.0.0/16,24     | -                         | 10.1.8.0/24                 | -                     | false  | stuck CIDR_WITHHELD
          IPAMFromCloud 10.1.0.0/16,24       | -                         | 10.1.8.0/24                 | -                     | false  | stuck CIDR_WITHHELD
          IPAMFromCloud 10.1.0.0/16,24       | -                         | 10.1.8.0/24                 | 10.1.8.0/24           | false  | withdraw
          IPAMFromCluster 10.1.0.0/16,24     | -                         | 192.168.0.0/24              | -                     | false  | stuck CIDR_MODE
          IPAMFromCluster 10.1.0.0/16,24     | -                         | 10.1.0.0/16                 | -                     | false  | stuck CIDR_MODE
          IPAMFromCluster 10.1.0.0/16,24     | -                         | 10.1.9.0/24                 | -                     | false  | stuck CIDR_MODE
          IPAMFromCluster 10.1.0.0/16,24     | 10.1.1.0/24               | -                           | -                     | false  | add 10.1.1.0/24
          IPAMFromCluster 10.1.0.0/16,24     | 10.1.9.0/24               | -                           | -                     | false  | settled
          IPAMFromCluster 10.1.0.0/16,24     | 10.1.1.0/24               | 10.1.1.0/24                 | -                     | false  | announce
          IPAMFromCluster 10.1.0.0/16,24     | 10.1.1.0/24               | 10.1.1.0/24                 | -                     | true   | settled
          IPAMFromCluster 10.1.0.0/16,24     | 10.1.1.0/24               | 10.1.2.0/24                 | -                     | true   | stuck CLOUD_MISMATCH
          """)
  void step(
      String mode, String has, String ranges, String reserved, boolean routed, String expected) {
    int blank = mode.indexOf(' ');
    ClusterCidrs cluster = TestCidrs.of(mode.substring(blank + 1));
    CloudStep.View view =
        new CloudStep.View(
            CidrAllocatorType.of(mode.substring(0, blank)).orElseThrow(),
            cluster,
            "i1",
            cidrs(ranges),
            cidrs(has),
            Optional.ofNullable(reserved).map(CloudStepTest::cidrs),
            routed,
            cidr -> obstacles(cluster, cidr),
            COOLING::overlaps,
            false);
    assertThat(text(CloudStep.of(view))).isEqualTo(expected);
  }

  private static List<NodeProblem> obstacles(ClusterCidrs cluster, Cidr cidr) {
    if (cidr.overlaps(RIVAL) && cidr.prefixLength() == 24) {
      return List.of(NodePodCidrs.conflict(cidr, RIVAL, "of node n9"));
    }
    boolean known =
        cluster.families().stream()
            .filter(each -> each.family() == cidr.family())
            .anyMatch(each -> each.isOfCloud() || each.ranges().stream().anyMatch(cidr::overlaps));
    return known ? List.of() : List.of(NodePodCidrs.foreign(cidr));
  }

  private static String text(CloudStep step) {
    if (step instanceof CloudStep.Reserve reserve) {
      return ("reserve " + String.join(" ", texts(reserve.given()))).strip();
    }
    if (step instanceof CloudStep.Add add) {
      return "add " + add.range();
    }
    if (step instanceof CloudStep.Stuck stuck) {
      assertThat(stuck.why().detail()).contains("i1");
      assertThat(stuck.isError()).isEqualTo(!stuck.why().code().name().equals("CLOUD_MISMATCH"));
      return "stuck " + stuck.why().code();
    }
    return step.toString().toLowerCase(java.util.Locale.ROOT);
  }

  private static List<Cidr> cidrs(String text) {
    return text == null
        ? List.of()
        : Stream.of(text.split(" ", -1)).map(Cidr::parseLenient).toList();
  }

  private static List<String> texts(List<Cidr> cidrs) {
    return cidrs.stream().map(Cidr::toString).toList();
  }
}
