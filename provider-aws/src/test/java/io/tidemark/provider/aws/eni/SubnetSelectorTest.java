package io.tidemark.provider.aws.eni;

import static io.tidemark.provider.aws.eni.Samples.pool;
import static io.tidemark.provider.aws.eni.Samples.spec;
import static io.tidemark.provider.aws.eni.Samples.subnet;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.aws.ec2.AwsSubnet;
import io.tidemark.provider.aws.ec2.Copies;
import io.tidemark.provider.aws.ec2.RouteTable;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.PoolId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Which subnet a new interface goes to")
class SubnetSelectorTest {
  private static final int WHOLE = 10;

  private static RouteTable table(String id, String vpc, boolean main, String... subnets) {
    Set<PoolId> ids = new java.util.HashSet<>();
    for (String each : subnets) {
      ids.add(new PoolId(each));
    }
    return new RouteTable(id, vpc, main, ids);
  }

  private static List<String> choose(
      EniSpec spec, List<RouteTable> tables, EniSettings settings, List<AwsSubnet> subnets) {
    Networks networks = Networks.NONE.withSubnets(subnets).withRouteTables(tables);
    List<Pool<AwsSubnet>> pools = subnets.stream().map(each -> pool(each, false)).toList();
    return SubnetSelector.of(spec, List.of(), networks, "ours", settings)
        .eligible(pools, 9, WHOLE)
        .stream()
        .map(each -> each.id().text())
        .toList();
  }

  private static List<String> choose(EniSpec spec, List<RouteTable> tables, AwsSubnet... subnets) {
    return choose(spec, tables, Samples.SETTINGS, List.of(subnets));
  }

  private static AwsSubnet in(String id, String vpc, String zone, int free) {
    return subnet(id, vpc, zone, free, Map.of());
  }

  @Test
  @DisplayName("AWS-48 by ids: the named ones of the node's VPC and zone, the most free first")
  void byIds() {
    AwsSubnet[] all = {
      in("subnet-1", "vpc-1", "a", 10), in("subnet-2", "vpc-2", "a", 20),
      in("subnet-3", "vpc-1", "a", 0), in("subnet-4", "vpc-1", "b", 30),
    };
    assertThat(choose(spec(List.of("subnet-1", "subnet-3"), Map.of(), ""), List.of(), all))
        .containsExactly("subnet-1", "subnet-3");
    assertThat(choose(spec(List.of("subnet-2"), Map.of(), ""), List.of(), all)).isEmpty();
    assertThat(choose(spec(List.of("subnet-4"), Map.of(), ""), List.of(), all)).isEmpty();
  }

  @Test
  @DisplayName("AWS-49 by tags: all of them, with these values")
  void byTags() {
    AwsSubnet[] all = {
      subnet("subnet-1", "vpc-1", "a", 10, Map.of("tag1", "tag1")),
      subnet("subnet-2", "vpc-2", "a", 20, Map.of("tag1", "tag1")),
      subnet("subnet-3", "vpc-1", "a", 0, Map.of("tag2", "tag2")),
    };
    assertThat(choose(spec(List.of(), Map.of("tag1", "tag1"), ""), List.of(), all))
        .containsExactly("subnet-1");
    assertThat(choose(spec(List.of(), Map.of("tag2", "tag2"), ""), List.of(), all))
        .containsExactly("subnet-3");
    assertThat(choose(spec(List.of(), Map.of("tag1", "tag1", "tag2", "tag2"), ""), List.of(), all))
        .isEmpty();
    assertThat(choose(spec(List.of(), Map.of(), ""), List.of(), all))
        .containsExactly("subnet-1", "subnet-3");
  }

  @Test
  @DisplayName("AWS-82 a constraint that matches nothing is hard, and says what was considered")
  void hard() {
    EniSpec spec = spec(List.of("subnet-9"), Map.of(), "");
    AwsSubnet[] all = {
      in("subnet-1", "vpc-1", "a", 10),
      in("subnet-2", "vpc-2", "a", 10),
      in("subnet-3", "vpc-1", "b", 10),
    };
    assertThat(choose(spec, List.of(), all)).isEmpty();
    Networks networks = Networks.NONE.withSubnets(List.of(all));
    assertThat(
            SubnetSelector.of(spec, List.of(), networks, "", Samples.SETTINGS)
                .why(List.of(pool(all[0], false), pool(all[1], false), pool(all[2], false))))
        .contains("considered 3 subnets", "1 wrong VPC", "1 wrong zone", "1 not selected");
    EniSettings fallback = Copies.with(SettingsSample.USUAL, "subnetFallback", true);
    assertThat(choose(spec, List.of(), fallback, List.of(all))).containsExactly("subnet-1");
  }

  @Test
  @DisplayName("AWS-11 the node's own subnet goes first while it holds a whole interface")
  void ownSubnet() {
    AwsSubnet s1 = in("s-1", "vpc-1", "a", 200);
    AwsSubnet s2 = in("s-2", "vpc-1", "a", 500);
    assertThat(choose(spec(List.of(), Map.of(), "s-1"), List.of(), s1, s2))
        .containsExactly("s-1", "s-2");
    assertThat(choose(spec(List.of(), Map.of(), "s-1"), List.of(), in("s-1", "vpc-1", "a", 9), s2))
        .containsExactly("s-2", "s-1");
  }

  @Test
  @DisplayName("AWS-22 AWS-24 without room at home, a subnet on the same routes goes first")
  void sameRoutes() {
    List<RouteTable> tables =
        List.of(
            table("rt-1", "vpc-1", false, "subnet-1", "subnet-2", "subnet-3"),
            table("rt-2", "vpc-2", false, "subnet-4"));
    List<String> chosen =
        choose(
            spec(List.of(), Map.of(), "subnet-1"),
            tables,
            in("subnet-1", "vpc-1", "a", 9),
            in("subnet-2", "vpc-1", "a", 20),
            in("subnet-3", "vpc-1", "b", 25),
            in("subnet-4", "vpc-2", "a", 15),
            in("subnet-5", "vpc-1", "a", 99));
    assertThat(chosen).startsWith("subnet-2").contains("subnet-5").doesNotContain("subnet-4");
  }

  @Test
  @DisplayName("AWS-23 a table may list subnets that nobody knows")
  void untrackedSubnet() {
    List<RouteTable> tables =
        List.of(table("rt-1", "vpc-1", false, "subnet-1", "subnet-3", "subnet-4"));
    assertThat(
            choose(
                spec(List.of(), Map.of(), "subnet-1"),
                tables,
                in("subnet-1", "vpc-1", "a", 1),
                in("subnet-4", "vpc-1", "a", 30)))
        .startsWith("subnet-4");
  }

  @Test
  @DisplayName("AWS-83 a subnet without a table of its own follows the main one")
  void mainTable() {
    List<RouteTable> tables =
        List.of(table("rt-main", "vpc-1", true), table("rt-other", "vpc-1", false, "subnet-3"));
    assertThat(
            choose(
                spec(List.of(), Map.of(), "subnet-1"),
                tables,
                in("subnet-1", "vpc-1", "a", 1),
                in("subnet-2", "vpc-1", "a", 20),
                in("subnet-3", "vpc-1", "a", 90)))
        .containsExactly("subnet-2", "subnet-3", "subnet-1");
  }

  @Test
  @DisplayName("S2 among equals: who has room for the need, who is most free, the lowest id")
  void needAware() {
    assertThat(
            choose(
                spec(List.of(), Map.of(), ""),
                List.of(),
                in("s-3", "vpc-1", "a", 8),
                in("s-2", "vpc-1", "a", 9),
                in("s-1", "vpc-1", "a", 9)))
        .containsExactly("s-1", "s-2", "s-3");
  }

  @DisplayName("S6 tags of Amazon's plugin, when they are heeded")
  @ParameterizedTest(name = "{0}, home {1}, heeded {2}: {3}")
  @CsvSource({
    "'', true, true, true",
    "'', false, true, false",
    "'', false, false, true",
    "role=1, false, true, true",
    "role=yes, false, true, true",
    "role=0, true, true, false",
    "role=0, false, true, false",
    "role=0, true, false, true",
    "role=1 cluster=ours, false, true, true",
    "role=1 cluster=theirs, false, true, false",
    "role=1 cluster=ours cluster=theirs, false, true, true",
    "cluster=theirs, true, true, false",
    "cluster=ours, true, true, true",
    "cluster=ours, false, true, false"
  })
  void roles(String text, boolean home, boolean heeded, boolean in) {
    Map<String, String> tags = new HashMap<>();
    for (String each : text.split(" ", -1)) {
      String value = each.substring(each.indexOf('=') + 1);
      if (each.startsWith("role=")) {
        tags.put(SubnetSelector.ROLE, value);
      } else if (each.startsWith("cluster=")) {
        tags.put(SubnetSelector.CLUSTER_PREFIX + value, "shared");
      }
    }
    EniSettings settings = Samples.with("roleTags", heeded);
    EniSpec spec = spec(List.of(), Map.of(), home ? "subnet-1" : "subnet-2");
    List<AwsSubnet> all =
        List.of(
            subnet("subnet-1", "vpc-1", "a", 90, tags),
            subnet("subnet-2", "vpc-1", "a", 20, Map.of()));
    assertThat(choose(spec, List.of(), settings, all).contains("subnet-1")).isEqualTo(in);
  }

  @Test
  @DisplayName("AWS-98 the same knowledge in any order gives the same choice")
  void deterministic() {
    List<AwsSubnet> all = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      all.add(in("s-" + i, "vpc-1", "a", 50 + 10 * (i % 3)));
    }
    EniSpec spec = spec(List.of(), Map.of(), "s-4");
    List<String> first = choose(spec, List.of(), Samples.SETTINGS, all);
    for (int i = 0; i < 100; i++) {
      Collections.shuffle(all, new Random(i));
      assertThat(choose(spec, List.of(), Samples.SETTINGS, all)).isEqualTo(first);
    }
  }
}
