package io.tidemark.provider.aws.ec2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.ip.Cidr;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What is sent to EC2")
class RequestsTest {
  private static final Optional<String> FIRST = Optional.empty();
  private static final InstanceId INSTANCE = new InstanceId("i-0123456789abcdef0");

  private final Emulated world = Emulated.in(Emulated.emulator(), 0);
  private final SdkEc2Api api = world.api;

  @AfterEach
  void close() {
    world.close();
  }

  private static List<String> texts(Ec2Filter filter) {
    return SdkEc2Api.filters(filter).stream().map(each -> each.name() + each.values()).toList();
  }

  @Test
  @DisplayName("AWS-59 subnet filters: none, ids, tags, both")
  void subnetFilters() {
    List<String> ids = List.of("b", "a");
    Map<String, String> tags = Map.of("c", "d", "a", "b");
    assertThat(texts(Ec2Filter.NONE)).isEmpty();
    assertThat(texts(Ec2Filter.of("subnet-id", ids))).containsExactly("subnet-id[a, b]");
    assertThat(texts(Ec2Filter.ofTags(tags))).containsExactly("tag:a[b]", "tag:c[d]");
    assertThat(texts(Ec2Filter.of("vpc-id", Set.of("v")).and("subnet-id", ids).andTags(tags)))
        .containsExactly("vpc-id[v]", "subnet-id[a, b]", "tag:a[b]", "tag:c[d]");
  }

  @Test
  @DisplayName("AWS-60 tag filters: none, two")
  void tagFilters() {
    assertThat(texts(Ec2Filter.NONE.andTags(Map.of()))).isEmpty();
    assertThat(texts(Ec2Filter.NONE.andTags(Map.of("k2", "v2", "k1", "v1"))))
        .containsExactly("tag:k1[v1]", "tag:k2[v2]");
  }

  /** Sends every listing, and the smallest page last. */
  private static void list(SdkEc2Api api, String vpc) throws Ec2Failure {
    Ec2Filter inVpc = Ec2Filter.of("vpc-id", Set.of(vpc));
    Ec2Filter instance = Ec2Filter.of("instance-id", Set.of(INSTANCE.text()));
    api.describeNetworkInterfaces(inVpc, FIRST);
    api.describeInstances(instance, FIRST);
    api.describeTag(INSTANCE, "a");
    api.describeSubnets(inVpc, FIRST);
    api.describeVpcs(inVpc, FIRST);
    api.securityGroupsForVpc(vpc, FIRST);
    api.describeSecurityGroups(inVpc, FIRST);
    api.describeRouteTables(inVpc, FIRST);
    api.describeInstanceTypes(Ec2Filter.of("instance-type", Set.of("m5.large")), FIRST);
  }

  @DisplayName("Every listing is paged: 1000, 500 or 100 at once, or as set; never by ids")
  @ParameterizedTest(name = "{0}: {1} {2} {3}")
  @CsvSource({"0, 1000, 500, 100", "5, 5, 5, 5", "300, 300, 300, 100"})
  void pages(int setting, String large, String medium, String small) throws Ec2Failure {
    try (Emulated paging = Emulated.in(Emulated.emulator(), setting)) {
      int before = paging.http.sent.size();
      list(paging.api, paging.vpc);
      List<SortedMap<String, String>> sent =
          paging.http.sent.subList(before, paging.http.sent.size());
      assertThat(sent)
          .extracting(form -> form.get("MaxResults"))
          .containsExactly(large, large, large, medium, medium, medium, medium, small, small);
      assertThat(sent)
          .allSatisfy(
              form -> assertThat(form.keySet()).noneMatch(key -> key.matches(".*Id\\.\\d+")));
      paging.api.describeAddresses(Ec2Filter.ofTags(Map.of("a", "b")));
      assertThat(paging.http.last()).doesNotContainKey("MaxResults");
    }
  }

  @Test
  @DisplayName("A listing goes on where the page before ended")
  void tokens() throws Ec2Failure {
    try (Emulated small = Emulated.in(Emulated.emulator(), 5)) {
      for (int i = 0; i < 7; i++) {
        small.api.createNetworkInterface(small.request(0, 0, 0, "token" + i));
      }
      Ec2Filter all = Ec2Filter.of("vpc-id", Set.of(small.vpc));
      AwsPage<AwsNetworkInterface> first = small.api.describeNetworkInterfaces(all, FIRST);
      assertThat(first.items()).hasSize(5);
      AwsPage<AwsNetworkInterface> second = small.api.describeNetworkInterfaces(all, first.next());
      assertThat(second.items()).hasSize(2);
      assertThat(second.next()).isEmpty();
    }
  }

  @Test
  @DisplayName("AWS-77 a restriction that nothing can meet finds nothing, and asks nobody")
  void impossible() throws Ec2Failure {
    int before = world.http.sent.size();
    Ec2Filter none = Ec2Filter.of("vpc-id", Set.of());
    assertThat(world.read(none)).isEmpty();
    assertThat(world.read(Ec2Filter.ofTags(Map.of()))).isEmpty();
    assertThat(world.read(Ec2Filter.ofTags(Map.of()).and("status", Set.of("available")))).isEmpty();
    assertThat(api.describeVpcs(none, FIRST).items()).isEmpty();
    assertThat(api.describeInstances(Ec2Filter.ofTags(Map.of()), FIRST).items()).isEmpty();
    assertThat(api.describeAddresses(Ec2Filter.ofTags(Map.of()))).isEmpty();
    assertThat(world.http.sent).hasSize(before);
  }

  @Test
  @DisplayName("More values than a filter takes are a defect of ours")
  void tooMany() {
    Set<String> many = new TreeSet<>();
    IntStream.range(0, 201).forEach(i -> many.add("vpc-" + i));
    assertThatThrownBy(() -> api.describeVpcs(Ec2Filter.of("vpc-id", many), FIRST))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @DisplayName("NC-AM29 a named prefix is sent as it is, by the operation of its family")
  void namedPrefix() throws Ec2Failure {
    InterfaceId id = api.createNetworkInterface(world.request(0, 0, 0, "t")).id();
    Cidr block = Cidr.parse("10.0.0.160/28");
    api.assignNamedPrefix(id, block);
    assertThat(world.http.last())
        .containsEntry("Action", "AssignPrivateIpAddresses")
        .containsEntry("NetworkInterfaceId", id.text())
        .containsEntry("Ipv4Prefix.1", "10.0.0.160/28")
        .doesNotContainKeys("Ipv4Prefix.2", "Ipv4PrefixCount", "AllowReassignment");
    assertThat(world.read(Ec2Filter.of("vpc-id", Set.of(world.vpc))))
        .singleElement()
        .satisfies(shown -> assertThat(shown.prefixes()).containsExactly(block));

    Cidr ipv6 = Cidr.parse("2600:1f18:0:100:7::/80");
    Ec2Failure refused =
        catchThrowableOfType(Ec2Failure.class, () -> api.assignNamedPrefix(id, ipv6));
    assertThat(refused.text()).contains("does not have an IPv6 CIDR block");
    assertThat(refused.prefixesAsked()).isTrue();
    assertThat(world.http.last())
        .containsEntry("Action", "AssignIpv6Addresses")
        .containsEntry("Ipv6Prefix.1", ipv6.toString())
        .doesNotContainKeys("Ipv6Prefix.2", "Ipv6PrefixCount");
  }

  @Test
  @DisplayName("An interface is attached on card 0, which is said")
  void attach() throws Ec2Failure {
    InstanceId instance = world.instance("m5.large");
    InterfaceId id = api.createNetworkInterface(world.request(0, 0, 0, "t")).id();
    api.attachNetworkInterface(id, instance, 2);
    assertThat(world.http.last())
        .containsEntry("NetworkCardIndex", "0")
        .containsEntry("DeviceIndex", "2");
  }
}
