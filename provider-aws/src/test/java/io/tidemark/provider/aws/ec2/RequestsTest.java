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
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.ec2.model.Filter;

@DisplayName("What is sent to EC2")
class RequestsTest {
  private static final Optional<String> FIRST = Optional.empty();

  private final Emulated world = Emulated.in(Emulated.emulator(), 0);
  private final SdkEc2Api api = world.api;

  @AfterEach
  void close() {
    world.close();
  }

  private static List<String> texts(Filters filters) {
    return filters.toList().stream().map(RequestsTest::text).toList();
  }

  private static String text(Filter filter) {
    return filter.name() + filter.values();
  }

  @Test
  @DisplayName("AWS-59 subnet filters: none, ids, tags, both")
  void subnetFilters() {
    Set<String> ids = Set.of("a", "b");
    Map<String, String> tags = Map.of("a", "b", "c", "d");
    assertThat(texts(SdkEc2Api.filters(new SubnetFilter(Set.of(), Set.of(), Map.of())))).isEmpty();
    assertThat(texts(SdkEc2Api.filters(new SubnetFilter(Set.of(), ids, Map.of()))))
        .containsExactly("subnet-id[a, b]");
    assertThat(texts(SdkEc2Api.filters(new SubnetFilter(Set.of(), Set.of(), tags))))
        .containsExactly("tag:a[b]", "tag:c[d]");
    assertThat(texts(SdkEc2Api.filters(new SubnetFilter(Set.of("v"), ids, tags))))
        .containsExactly("vpc-id[v]", "subnet-id[a, b]", "tag:a[b]", "tag:c[d]");
  }

  @Test
  @DisplayName("AWS-60 tag filters: none, two")
  void tagFilters() {
    assertThat(texts(new Filters().tags(Map.of()))).isEmpty();
    assertThat(texts(new Filters().tags(Map.of("k2", "v2", "k1", "v1"))))
        .containsExactly("tag:k1[v1]", "tag:k2[v2]");
  }

  @Test
  @DisplayName("Every listing is paged: 1000, 500 or 100 at once, never by ids")
  void pages() throws Ec2Failure {
    InstanceId instance = new InstanceId("i-0123456789abcdef0");
    int before = world.http.sent.size();
    api.describeNetworkInterfaces(new InterfaceQuery.OfInstances(Set.of(instance)), FIRST);
    api.describeInstances(Set.of(instance), FIRST);
    api.describeTaggedInstances(Map.of("a", "b"), FIRST);
    api.describeTag(instance, "a");
    api.describeSubnets(new SubnetFilter(Set.of(world.vpc), Set.of(), Map.of()), FIRST);
    api.describeVpcs(Set.of(world.vpc), FIRST);
    api.securityGroupsForVpc(world.vpc, FIRST);
    api.describeSecurityGroups(Set.of(world.vpc), FIRST);
    api.describeRouteTables(Set.of(world.vpc), FIRST);
    api.describeInstanceTypes(Set.of("m5.large"), FIRST);
    List<String> sent =
        world.http.sent.subList(before, world.http.sent.size()).stream()
            .map(form -> form.get("MaxResults"))
            .toList();
    assertThat(sent)
        .containsExactly("1000", "1000", "1000", "1000", "500", "500", "500", "500", "100", "100");
    world
        .http
        .sent
        .subList(before, world.http.sent.size())
        .forEach(form -> assertThat(form.keySet()).noneMatch(key -> key.matches(".*Id\\.\\d+")));
    api.describeAddresses(Map.of("a", "b"));
    assertThat(world.http.last()).doesNotContainKey("MaxResults");
  }

  @DisplayName("The setting of the page size reaches every listing, within what EC2 takes")
  @ParameterizedTest(name = "{0}: {1} {2} {3}")
  @CsvSource({"0, 1000, 500, 100", "5, 5, 5, 5", "300, 300, 300, 100", "1000, 1000, 1000, 100"})
  void pageSizes(int setting, int large, int medium, int small) {
    PageSizes sizes = new PageSizes(setting);
    assertThat(List.of(sizes.large(), sizes.medium(), sizes.small()))
        .containsExactly(large, medium, small);
  }

  @DisplayName("A page size that EC2 refuses is refused here")
  @ParameterizedTest(name = "{0}")
  @CsvSource({"-1", "4", "1001"})
  void wrongPageSize(int setting) {
    assertThatThrownBy(() -> new PageSizes(setting))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Integer.toString(setting));
  }

  @Test
  @DisplayName("A listing goes on where the page before ended")
  void tokens() throws Ec2Failure {
    try (Emulated small = Emulated.in(Emulated.emulator(), 5)) {
      for (int i = 0; i < 7; i++) {
        small.api.createNetworkInterface(small.request(0, 0, 0, "token" + i));
      }
      InterfaceQuery all = new InterfaceQuery.OfVpcs(Set.of(small.vpc));
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
    assertThat(world.read(new InterfaceQuery.OfInstances(Set.of()))).isEmpty();
    assertThat(world.read(new InterfaceQuery.OfVpcs(Set.of()))).isEmpty();
    assertThat(world.read(new InterfaceQuery.Tagged(Map.of()))).isEmpty();
    assertThat(world.read(new InterfaceQuery.Available(Map.of()))).isEmpty();
    assertThat(api.describeVpcs(Set.of(), FIRST).items()).isEmpty();
    assertThat(api.describeRouteTables(Set.of(), FIRST).items()).isEmpty();
    assertThat(api.describeSecurityGroups(Set.of(), FIRST).items()).isEmpty();
    assertThat(api.describeInstances(Set.of(), FIRST).items()).isEmpty();
    assertThat(api.describeTaggedInstances(Map.of(), FIRST).items()).isEmpty();
    assertThat(api.describeInstanceTypes(Set.of(), FIRST).items()).isEmpty();
    assertThat(api.describeAddresses(Map.of())).isEmpty();
    assertThat(world.http.sent).hasSize(before);
  }

  @Test
  @DisplayName("More values than a filter takes are a defect of ours")
  void tooMany() {
    Set<String> many = new TreeSet<>();
    IntStream.range(0, 201).forEach(i -> many.add("vpc-" + i));
    assertThatThrownBy(() -> api.describeVpcs(many, FIRST))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @DisplayName("A creation carries its token, tags, groups and either singles or prefixes")
  void create() throws Ec2Failure {
    String group = world.defaultGroup();
    AwsNetworkInterface one = api.createNetworkInterface(world.request(3, 0, 0, "the-token"));
    assertThat(world.http.last())
        .containsEntry("ClientToken", "the-token")
        .containsEntry("SecondaryPrivateIpAddressCount", "3")
        .containsEntry("SecurityGroupId.1", group)
        .containsEntry("TagSpecification.1.ResourceType", "network-interface")
        .doesNotContainKeys("Ipv4PrefixCount", "Ipv6PrefixCount");
    assertThat(api.createNetworkInterface(world.request(3, 0, 0, "the-token")).id())
        .as("the same token, the same interface")
        .isEqualTo(one.id());
    api.createNetworkInterface(world.request(0, 2, 0, "another"));
    assertThat(world.http.last())
        .containsEntry("Ipv4PrefixCount", "2")
        .doesNotContainKeys("SecondaryPrivateIpAddressCount", "Ipv6PrefixCount");
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
    assertThat(world.read(new InterfaceQuery.OfVpcs(Set.of(world.vpc))))
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
