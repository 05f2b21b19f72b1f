package io.tidemark.emulator.arm;

import static io.tidemark.emulator.arm.Cloud.COMPUTE_API;
import static io.tidemark.emulator.arm.Cloud.INSTANCE_0;
import static io.tidemark.emulator.arm.Cloud.NETWORK_API;
import static io.tidemark.emulator.arm.Cloud.NIC;
import static io.tidemark.emulator.arm.Cloud.SUBNET;
import static io.tidemark.emulator.arm.Cloud.addresses;
import static io.tidemark.emulator.arm.Cloud.answered;
import static io.tidemark.emulator.arm.Cloud.changed;
import static io.tidemark.emulator.arm.Cloud.changedInstance;
import static io.tidemark.emulator.arm.Cloud.configurations;
import static io.tidemark.emulator.arm.Cloud.plus;
import static io.tidemark.emulator.arm.Cloud.plusBlock;
import static io.tidemark.emulator.arm.Cloud.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.ip.Cidr;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("13.8 (b), (g) Writes")
class WriteRulesTest {
  private final Cloud cloud = new Cloud();

  @Test
  @DisplayName("(b) a PUT of an interface replaces it: what the body leaves out is reset")
  void fullReplace() {
    Document nic = cloud.nic();
    Document with =
        nic.with("tags", Document.of("a", "b")).withProperty("later", Document.of("x", 1));
    cloud.put(NIC, NETWORK_API, nic.text("etag"), with);
    assertThat(cloud.nic().object("tags").text("a")).contains("b");
    assertThat(cloud.nic().object("properties").object("later").number("x")).contains(1);
    cloud.put(NIC, NETWORK_API, Optional.empty(), nic);
    assertThat(cloud.nic().has("tags")).isFalse();
    assertThat(cloud.nic().object("properties").has("later")).isFalse();
  }

  @Test
  @DisplayName("(b) a PUT of an instance merges: sections that the body leaves out are kept")
  void merge() {
    Document before = cloud.instance();
    cloud.putInstance(plus(1));
    Document after = cloud.instance();
    assertThat(after.object("properties").object("storageProfile"))
        .isEqualTo(before.object("properties").object("storageProfile"));
    assertThat(after.object("properties").object("hardwareProfile"))
        .isEqualTo(before.object("properties").object("hardwareProfile"));
    assertThat(addresses(cloud.listed())).hasSize(2);
  }

  @Test
  @DisplayName("(b) what only Azure sets is ignored in a body")
  void readOnly() {
    Document nic = cloud.nic();
    Document lied =
        nic.with(
            "properties",
            nic.object("properties")
                .with("macAddress", "FF-FF-FF-FF-FF-FF")
                .with("provisioningState", "Failed")
                .with("virtualMachine", Document.reference("/subscriptions/x")));
    cloud.put(NIC, NETWORK_API, nic.text("etag"), lied);
    assertThat(cloud.nic()).isEqualTo(nic);
  }

  @Test
  @DisplayName("(b) a version of the API that does not know blocks gives a single address")
  void silentSingle() {
    Document nic = cloud.nic();
    cloud.put(NIC, "2023-09-01", nic.text("etag"), changed(nic, plusBlock("old")));
    cloud.putNic(plusBlock("new"));
    Document instance = cloud.instance();
    cloud.put(
        INSTANCE_0,
        COMPUTE_API,
        instance.text("etag"),
        changedInstance(instance, plusBlock("old")));
    instance = cloud.instance();
    cloud.put(
        INSTANCE_0,
        "2026-07-02",
        instance.text("etag"),
        changedInstance(instance, plusBlock("new")));
    assertThat(addresses(cloud.nic()).get(1)).doesNotContain("/");
    assertThat(addresses(cloud.nic()).get(2)).endsWith("/28");
    assertThat(addresses(cloud.listed()).get(1)).doesNotContain("/");
    assertThat(addresses(cloud.listed()).get(2)).endsWith("/28");
    assertThat(
            configurations(cloud.listed())
                .get(2)
                .object("properties")
                .has("privateIPAddressPrefixLength"))
        .as("the list's version does not know lengths")
        .isFalse();
  }

  @Test
  @DisplayName("(g) addresses stay with their names, those of removed names are free")
  void names() {
    cloud.putNic(plus(2));
    List<String> before = addresses(cloud.nic());
    cloud.putNic(
        all -> {
          List<Document> fewer = new ArrayList<>(all);
          fewer.remove(1);
          return fewer;
        });
    assertThat(addresses(cloud.nic())).containsExactly(before.get(0), before.get(2));
  }

  @Test
  @DisplayName("(g) an interface has 256 configurations at most, and so has a machine")
  void limits() {
    Cloud large = new Cloud(ModelOptions.of(1), "10.0.0.0/20");
    large
        .owner()
        .addInterface(
            NIC + "-2",
            Cloud.VM,
            List.of(Cloud.configuration("primary", SUBNET, true)),
            Document.EMPTY);
    assertThat(refusal(large.putNic(plus(255)))).isEqualTo("400 IpConfigurationCountExceedsLimit");
    assertThat(large.putNic(plus(254)).status()).isEqualTo(200);
    assertThat(refusal(large.putNic(plus("more", 1))))
        .isEqualTo("400 IpConfigurationCountExceedsLimit");
    assertThat(refusal(large.putInstance(plus(256))))
        .isEqualTo("400 IpConfigurationCountExceedsLimit");
    assertThat(large.putInstance(plus(255)).status()).isEqualTo(200);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "another subnet,IpConfigurationsOnSameNicCannotUseDifferentSubnets",
    "other groups,ApplicationSecurityGroupsOnIpConfigurationsMustBeSame",
    "a name twice,DuplicateResourceName",
    "no name,InvalidResourceName",
    "no subnet,InvalidRequestFormat",
    "no primary,NicMustHaveOnePrimaryIpConfiguration",
    "two primaries,NicCannotHaveMultiplePrimaryIpConfigurations",
    "another primary,PrimaryIpConfigurationCannotBeChanged",
    "a block of 16 bits,InvalidPrivateIPAddressPrefixLength",
    "21 groups,ApplicationSecurityGroupCountExceedsLimit",
    "IPv6,SubnetHasNoIpv6Prefix",
    "a primary of IPv6,PrimaryIpConfigurationMustBeIpv4",
    "an unknown subnet,InvalidResourceReference",
    "nothing,NicMustHaveIpConfiguration"
  })
  @DisplayName("(g) configurations that break a rule are refused, and nothing changes")
  void rules(String what, String code) {
    cloud
        .owner()
        .addSubnet(Cloud.NET + "/subnets/other", List.of(Cidr.parse("10.1.0.0/24")), false, 0);
    Document before = cloud.nic();
    assertThat(refusal(cloud.putNic(breaking(what)))).isEqualTo("400 " + code);
    assertThat(cloud.nic()).isEqualTo(before);
  }

  @Test
  @DisplayName("(g) the compute provider names the rule of one subnet differently")
  void computeName() {
    cloud
        .owner()
        .addSubnet(Cloud.NET + "/subnets/other", List.of(Cidr.parse("10.1.0.0/24")), false, 0);
    assertThat(refusal(cloud.putInstance(breaking("another subnet"))))
        .isEqualTo("400 VMScaleSetIpConfigurationsOnSameNicCannotUseDifferentSubnets");
  }

  private static UnaryOperator<List<Document>> breaking(String what) {
    return all -> {
      List<Document> more = new ArrayList<>(all);
      Document primary = all.get(0);
      Document added = Cloud.configuration("added", SUBNET);
      switch (what) {
        case "another subnet" ->
            more.add(Cloud.configuration("added", Cloud.NET + "/subnets/other"));
        case "other groups" ->
            more.add(
                added.withProperty(
                    "applicationSecurityGroups",
                    List.of(Document.reference(Cloud.GROUP + "/providers/x/y/z"))));
        case "a name twice" -> more.addAll(List.of(added, added));
        case "no name" -> more.add(added.without("name"));
        case "no subnet" -> more.add(added.with("properties", Document.EMPTY));
        case "21 groups" -> more.set(0, grouped(primary, 21));
        case "IPv6" -> more.add(added.withProperty("privateIPAddressVersion", "IPv6"));
        case "a primary of IPv6" ->
            more.set(0, primary.withProperty("privateIPAddressVersion", "IPv6"));
        case "an unknown subnet" ->
            more.set(0, primary.withProperty("subnet", Document.reference(SUBNET + "-none")));
        case "no primary" ->
            more.addAll(
                0,
                List.of(
                    more.remove(0)
                        .with("properties", primary.object("properties").without("primary")),
                    added));
        case "two primaries" -> more.add(added.withProperty("primary", true));
        case "another primary" -> {
          more.set(0, primary.withProperty("primary", false));
          more.add(added.withProperty("primary", true));
        }
        case "a block of 16 bits" ->
            more.add(added.withProperty("privateIPAddressPrefixLength", 16));
        default -> more.clear();
      }
      return more;
    };
  }

  private static Document grouped(Document configuration, int groups) {
    List<Document> all =
        IntStream.range(0, groups)
            .mapToObj(i -> Document.reference(Cloud.GROUP + "/providers/x/y/z" + i))
            .toList();
    return configuration.withProperty("applicationSecurityGroups", all);
  }

  @Test
  @DisplayName("(g) the primary configuration of an instance stays, and 20 groups are allowed")
  void allowed() {
    assertThat(refusal(cloud.putInstance(breaking("another primary"))))
        .isEqualTo("400 PrimaryIpConfigurationCannotBeChanged");
    assertThat(
            refusal(cloud.putInstance(all -> List.of(Cloud.configuration("only", SUBNET, true)))))
        .isEqualTo("400 PrimaryIpConfigurationCannotBeChanged");
    assertThat(cloud.putNic(all -> List.of(grouped(all.get(0), 20))).status()).isEqualTo(200);
  }

  @Test
  @DisplayName("(b) an interface's body needs its location, an instance's not; it cannot change")
  void location() {
    Document nic = cloud.nic();
    Document body = changedInstance(cloud.instance(), plus(1));
    assertThat(refusal(cloud.put(NIC, NETWORK_API, Optional.empty(), nic.without("location"))))
        .isEqualTo("400 LocationRequired");
    assertThat(cloud.put(NIC, NETWORK_API, Optional.empty(), nic.with("location", "West Europe")))
        .extracting(reply -> answered(reply, 200))
        .isEqualTo(nic);
    for (ArmReply elsewhere :
        List.of(
            cloud.put(NIC, NETWORK_API, Optional.empty(), nic.with("location", "eastus")),
            cloud.put(
                INSTANCE_0, COMPUTE_API, Optional.empty(), body.with("location", "eastus")))) {
      assertThat(refusal(elsewhere)).isEqualTo("409 InvalidResourceLocation");
    }
    body = body.without("location");
    assertThat(cloud.put(INSTANCE_0, COMPUTE_API, Optional.empty(), body).status()).isEqualTo(200);
  }

  @Test
  @DisplayName("(b) a write by a version that does not know blocks keeps those that there are")
  void oldClientKeepsBlocks() {
    cloud.putNic(plusBlock("b"));
    List<String> before = addresses(cloud.nic());
    Document old = answered(cloud.get(NIC, "2023-09-01"), 200);
    assertThat(configurations(old).get(1).object("properties").has("privateIPAddressPrefixLength"))
        .isFalse();
    cloud.put(NIC, "2023-09-01", old.text("etag"), changed(old, plus(1)));
    assertThat(addresses(cloud.nic()).subList(0, 2)).isEqualTo(before);
    cloud.put(
        INSTANCE_0,
        "2026-07-02",
        Optional.empty(),
        changedInstance(cloud.instance(), plusBlock("b")));
    assertThat(cloud.instance().toString()).doesNotContain("privateIPAddressPrefixLength");
    cloud.putInstance(plus(1));
    assertThat(addresses(cloud.listed()).get(1)).endsWith("/28");
  }
}
