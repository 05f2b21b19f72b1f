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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Which subnet a new interface goes to")
class SubnetSelectorTest {
  private static final int WHOLE = 10;

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

  @DisplayName(
      "by ids, tags, routes and room; subnets are id:free, zone b and another VPC are named")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          AWS-48 by ids: the named ones, the most free first | ids=s-1,s-3 | \
            | s-1:10 s-2:20:a:vpc-2 s-3:0 s-4:30:b | s-1 s-3
          AWS-48 not of another VPC than the node's | ids=s-2 | \
            | s-1:10 s-2:20:a:vpc-2 s-3:0 s-4:30:b | none
          AWS-48 nor of another zone | ids=s-4 | | s-1:10 s-2:20:a:vpc-2 s-3:0 s-4:30:b | none
          AWS-49 by a tag | tags=one | | s-1:10:a:vpc-1:one s-2:20:a:vpc-2:one s-3:0:a:vpc-1:two | s-1
          AWS-49 by another one | tags=two | \
            | s-1:10:a:vpc-1:one s-2:20:a:vpc-2:one s-3:0:a:vpc-1:two | s-3
          AWS-49 by all of them | tags=one,two | \
            | s-1:10:a:vpc-1:one s-2:20:a:vpc-2:one s-3:0:a:vpc-1:two | none
          AWS-49 by none | | | s-1:10:a:vpc-1:one s-2:20:a:vpc-2:one s-3:0:a:vpc-1:two | s-1 s-3
          AWS-82 a constraint that matches nothing is hard | ids=s-9 | \
            | s-1:10 s-2:10:a:vpc-2 s-3:10:b | none
          AWS-82 but for the fallback | ids=s-9 fallback=true | | s-1:10 s-2:10:a:vpc-2 s-3:10:b | s-1
          AWS-11 the node's own subnet first while it holds a whole interface | home=s-1 | \
            | s-1:200 s-2:500 | s-1 s-2
          AWS-11 and later with less room | home=s-1 | | s-1:9 s-2:500 | s-2 s-1
          AWS-22 AWS-24 without room at home, a subnet on the same routes goes first | home=s-1 \
            | vpc-1:s-1,s-2,s-3 vpc-2:s-4 | s-1:9 s-2:20 s-3:25:b s-4:15:a:vpc-2 s-5:99 | s-2 s-5 s-1
          AWS-23 a table may list subnets that nobody knows | home=s-1 | vpc-1:s-1,s-3,s-4 \
            | s-1:1 s-4:30 | s-4 s-1
          AWS-83 a subnet without a table of its own follows the main one | home=s-1 \
            | vpc-1:main vpc-1:s-3 | s-1:1 s-2:20 s-3:90 | s-2 s-3 s-1
          S2 among equals: who has room for the need, who is most free, the lowest id | | \
            | s-3:8 s-2:9 s-1:9 | s-1 s-2 s-3
          """)
  void choice(String what, String wanted, String tables, String known, String chosen) {
    Map<String, String> of = new HashMap<>(Map.of("ids", "", "tags", "", "home", ""));
    parts(wanted, " ").forEach(each -> of.put(each.split("=", 2)[0], each.split("=", 2)[1]));
    List<RouteTable> routes = new ArrayList<>();
    for (String each : parts(tables, " ")) {
      String[] table = each.split(":", 2);
      boolean main = table[1].equals("main");
      Set<PoolId> subnets = new HashSet<>();
      parts(main ? "" : table[1], ",").forEach(id -> subnets.add(new PoolId(id)));
      routes.add(new RouteTable("rt-" + routes.size(), table[0], main, subnets));
    }
    List<AwsSubnet> subnets = new ArrayList<>();
    for (String each : parts(known, " ")) {
      String[] parts = (each + (each.matches("[^:]+:[^:]+") ? ":a" : "")).split(":", -1);
      String vpc = parts.length > 3 ? parts[3] : "vpc-1";
      Map<String, String> tags = parts.length > 4 ? Map.of(parts[4], "yes") : Map.of();
      subnets.add(subnet(parts[0], vpc, parts[2], Integer.parseInt(parts[1]), tags));
    }
    Map<String, String> tags = new HashMap<>();
    parts(text(of, "tags"), ",").forEach(each -> tags.put(each, "yes"));
    EniSettings settings =
        Copies.with(SettingsSample.USUAL, "subnetFallback", of.containsKey("fallback"));
    EniSpec spec = spec(parts(text(of, "ids"), ","), tags, text(of, "home"));
    assertThat(String.join(" ", choose(spec, routes, settings, subnets)))
        .isEqualTo(chosen.equals("none") ? "" : chosen);
  }

  private static String text(Map<String, String> of, String key) {
    return Objects.requireNonNull(of.get(key));
  }

  private static List<String> parts(@Nullable String text, String by) {
    return text == null || text.isEmpty() ? List.of() : List.of(text.split(by, -1));
  }

  @Test
  @DisplayName("AWS-82 what was considered is said where a constraint matches nothing")
  void hard() {
    List<AwsSubnet> all =
        List.of(
            subnet("s-1", "vpc-1", "a", 10, Map.of()),
            subnet("s-2", "vpc-2", "a", 10, Map.of()),
            subnet("s-3", "vpc-1", "b", 10, Map.of()));
    Networks networks = Networks.NONE.withSubnets(all);
    EniSpec spec = spec(List.of("s-9"), Map.of(), "");
    assertThat(
            SubnetSelector.of(spec, List.of(), networks, "", Samples.SETTINGS)
                .why(all.stream().map(each -> pool(each, false)).toList()))
        .contains("considered 3 subnets", "1 wrong VPC", "1 wrong zone", "1 not selected");
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
      all.add(subnet("s-" + i, "vpc-1", "a", 50 + 10 * (i % 3), Map.of()));
    }
    EniSpec spec = spec(List.of(), Map.of(), "s-4");
    List<String> first = choose(spec, List.of(), Samples.SETTINGS, all);
    for (int i = 0; i < 100; i++) {
      Collections.shuffle(all, new Random(i));
      assertThat(choose(spec, List.of(), Samples.SETTINGS, all)).isEqualTo(first);
    }
  }
}
