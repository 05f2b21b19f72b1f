package io.tidemark.nodecidr.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.ledger.RangeUsage;
import io.tidemark.nodecidr.plan.NodePlan.CidrLeak;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The metrics of an allocator")
class UsageScrapeTest {
  private static final Cidr RANGE = Cidr.parse("10.0.0.0/16");

  @DisplayName("NC-AM3 are read by their names, with other labels and timestamps beside them")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      textBlock =
          """
          usage_cidrs{clusterCIDR="10.0.0.0/16"} 0.5                                   | 0.5
          usage_cidrs{clusterCIDR="10.0.0.0/16"} 3.90625e-03                           | 0.00390625
          usage_cidrs{instance="m:1", clusterCIDR="10.0.0.0/16",job="kcm"} 1 170000000 | 1.0
          usage_cidrs{clusterCIDR="010.0.0.1/16"} 0                                    | 0.0
          """)
  void samples(String line, double share) {
    UsageScrape scrape = UsageScrape.parse("node_ipam_controller_cidrset_" + line);
    assertThat(scrape.used()).isEqualTo(Map.of(RANGE, share));
    assertThat(scrape.blocks()).isEmpty();
    assertThat(scrape.notes()).isEmpty();
  }

  @DisplayName("NC-AM3 have the number of blocks by its published name, or that of older versions")
  @ParameterizedTest(name = "{0}")
  @CsvSource({"cirdset_max_cidrs", "cidrset_cidrs_max_total"})
  void maximum(String name) {
    UsageScrape scrape =
        UsageScrape.parse(
            """
            node_ipam_controller_%s{clusterCIDR="10.0.0.0/16"} 256
            node_ipam_controller_cidrset_usage_cidrs{clusterCIDR="10.0.0.0/16"} 0.25
            """
                .formatted(name));
    assertThat(scrape.used()).isEqualTo(Map.of(RANGE, 0.25));
    assertThat(scrape.blocks()).isEqualTo(Map.of(RANGE, 256.0));
  }

  @DisplayName("NC-AM39 are passed over by line when they make no sense")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      textBlock =
          """
          usage_cidrs{clusterCIDR="10.0.0.0/16"} 1.5  | 1.5 is not a share from 0 to 1
          usage_cidrs{clusterCIDR="10.0.0.0/16"} NaN  | NaN is not a share from 0 to 1
          usage_cidrs{clusterCIDR="10.0.0.0/16"} half | half is not a share from 0 to 1
          usage_cidrs{clusterCIDR="pods"} 0.5         | it has no clusterCIDR that is a CIDR
          usage_cidrs{} 0.5                           | it has no clusterCIDR that is a CIDR
          """)
  void nonsense(String line, String problem) {
    UsageScrape scrape = UsageScrape.parse("# x\nnode_ipam_controller_cidrset_" + line);
    assertThat(scrape.used()).isEmpty();
    assertThat(scrape.notes()).containsExactly("line 2 of the metrics is passed over: " + problem);
  }

  @Test
  @DisplayName("NC-AM39 of a range count once; ranges of one side alone are reported")
  void sides() {
    String sample = "node_ipam_controller_cidrset_usage_cidrs{clusterCIDR=\"%s\"} 0.5\n";
    UsageScrape scrape =
        UsageScrape.parse(
            sample.replace("%s", "10.0.0.0/16")
                + sample.replace("%s", "10.0.0.0/16")
                + "process_cpu_seconds_total 2.98\n"
                + sample.replace("%s", "fd00::/48"));
    List<CidrLeak> leaks = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    scrape.compare(
        List.of(
            new RangeUsage(RANGE, 24, 256, 8, 100, 0, 0, 148),
            new RangeUsage(Cidr.parse("10.9.0.0/16"), 24, 256, 0, 0, 0, 0, 256)),
        leaks,
        notes);
    assertThat(leaks).containsExactly(new CidrLeak(RANGE, 128, 108));
    assertThat(leaks.get(0))
        .hasToString(
            "the allocator counts 128 blocks of 10.0.0.0/16 as used, 20 more than nodes have and"
                + " settings exclude");
    assertThat(notes)
        .containsExactly(
            "line 2 of the metrics is passed over: 10.0.0.0/16 again",
            "the metrics have no usage of 10.9.0.0/16",
            "the metrics have fd00::/48, which is not a configured range");
  }
}
