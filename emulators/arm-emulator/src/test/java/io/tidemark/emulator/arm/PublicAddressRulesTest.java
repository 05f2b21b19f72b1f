package io.tidemark.emulator.arm;

import static io.tidemark.emulator.arm.Cloud.GROUP;
import static io.tidemark.emulator.arm.Cloud.INSTANCE_0;
import static io.tidemark.emulator.arm.Cloud.LIST_API;
import static io.tidemark.emulator.arm.Cloud.NETWORK_API;
import static io.tidemark.emulator.arm.Cloud.NIC;
import static io.tidemark.emulator.arm.Cloud.VM;
import static io.tidemark.emulator.arm.Cloud.answered;
import static io.tidemark.emulator.arm.Cloud.configurations;
import static io.tidemark.emulator.arm.Cloud.plus;
import static io.tidemark.emulator.arm.Cloud.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.gate.Access.Role;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.ip.Cidr;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Public addresses of prefixes (provider-azure 4.10)")
class PublicAddressRulesTest {
  private static final String PREFIXES = GROUP + "/providers/Microsoft.Network/publicIPPrefixes";
  private static final String ADDRESS =
      GROUP + "/providers/Microsoft.Network/publicIPAddresses/vm-ip";
  private static final String OF_INSTANCE =
      INSTANCE_0 + "/networkInterfaces/eth0/ipConfigurations/primary/publicIPAddresses";
  private static final Duration LASTS = Duration.ofSeconds(20);

  private final Cloud cloud =
      new Cloud(ModelOptions.builder(1).operation(DelayRange.fixed(LASTS)).build());

  PublicAddressRulesTest() {
    prefix("egress", "203.0.113.0/31");
  }

  private void prefix(String name, String range) {
    Document labels =
        Document.of("tags", Document.of("use", name)).with("zones", List.of("1", "2"));
    cloud
        .owner()
        .addPublicPrefix(PREFIXES + "/" + name, "westeurope", Cidr.parse(range), labels, 0);
  }

  private List<Document> prefixes() {
    return answered(cloud.get(PREFIXES, NETWORK_API), 200).objects("value");
  }

  /** A body that Azure accepts. */
  private static Document body(String prefix) {
    return Cloud.publicAddress(PREFIXES + "/" + prefix)
        .with("zones", List.of("1", "2"))
        .withProperty("deleteOption", "Delete");
  }

  private ArmReply put(String id, Document body) {
    return cloud.put(id, NETWORK_API, Optional.empty(), body);
  }

  private Document address(String id) {
    return answered(cloud.get(id, NETWORK_API), 200).object("properties");
  }

  private static UnaryOperator<List<Document>> using(Document reference) {
    return all -> with(all, "publicIPAddress", reference);
  }

  private static UnaryOperator<List<Document>> asking(String prefix) {
    return all ->
        with(
            all,
            "publicIPAddressConfiguration",
            Document.of("name", "node-ip")
                .withProperty("publicIPPrefix", Document.reference(PREFIXES + "/" + prefix)));
  }

  private static List<Document> with(List<Document> all, String key, Document value) {
    List<Document> changed = new ArrayList<>(all);
    changed.set(0, all.get(0).withProperty(key, value));
    return changed;
  }

  private static UnaryOperator<List<Document>> without(String key) {
    return all ->
        all.stream()
            .map(each -> each.with("properties", each.object("properties").without(key)))
            .toList();
  }

  private List<Document> ofInstance() {
    return answered(cloud.get(OF_INSTANCE, LIST_API), 200).objects("value");
  }

  private List<String> statuses() {
    return answered(cloud.get(INSTANCE_0 + "?$expand=instanceView", Cloud.COMPUTE_API), 200)
        .object("properties")
        .object("instanceView")
        .objects("statuses")
        .stream()
        .map(each -> each.text("code").orElse(""))
        .toList();
  }

  @Test
  @DisplayName("prefixes of a group are listed page by page, with tags, state and who has what")
  void list() {
    Cloud paged = new Cloud(ModelOptions.builder(1).pageSize(1).build());
    for (String name : List.of("a", "b")) {
      paged
          .owner()
          .addPublicPrefix(
              PREFIXES + "/" + name,
              "westeurope",
              Cidr.parse("203.0.113.0/28"),
              Document.of("tags", Document.of("use", name)),
              name.equals("a") ? 0 : 3);
    }
    paged.owner().setPrefixState(PREFIXES + "/b", "Updating");
    Document first = answered(paged.get(PREFIXES, NETWORK_API), 200);
    Document second = answered(paged.send("GET", first.text("nextLink").orElseThrow()), 200);
    Document free = first.objects("value").get(0);
    assertThat(free.object("tags").text("use")).contains("a");
    assertThat(free.object("properties").text("ipPrefix")).contains("203.0.113.0/28");
    assertThat(free.object("properties").has("publicIPAddresses")).isFalse();
    Document used = second.objects("value").get(0).object("properties");
    assertThat(used.text("provisioningState")).contains("Updating");
    assertThat(used.objects("publicIPAddresses")).hasSize(3);
    assertThat(second.has("nextLink")).isFalse();
  }

  @Test
  @DisplayName("an address of a prefix is made by an operation, and shown at its end")
  void create() {
    Document making = answered(put(ADDRESS, body("egress")), 200).object("properties");
    assertThat(making.text("provisioningState")).contains("Updating");
    assertThat(making.has("ipAddress")).isFalse();
    cloud.pass(LASTS);
    assertThat(address(ADDRESS).text("ipAddress").orElseThrow()).startsWith("203.0.113.");
    assertThat(prefixes().get(0).object("properties").objects("publicIPAddresses"))
        .containsExactly(Document.reference(ADDRESS));
    assertThat(put(ADDRESS, body("egress")).headers())
        .as("the same again changes nothing")
        .doesNotContainKey("Azure-AsyncOperation");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "location, 400 LocationRequired",
    "sku, 400 PublicIPAddressMustBeStandardAndStatic",
    "zones, 400 PublicIPAddressZonesMismatch",
    "properties, 400 InvalidRequestFormat MissingJsonReferenceId"
  })
  @DisplayName("an address must say what its prefix is")
  void fits(String left, String refusal) {
    assertThat(refusal(put(ADDRESS, body("egress").without(left)))).isEqualTo(refusal);
  }

  @Test
  @DisplayName("a prefix that is not there, is full or is another one is refused")
  void prefixRefused() {
    assertThat(refusal(put(ADDRESS, body("none")))).isEqualTo("400 InvalidResourceReference");
    put(ADDRESS, body("egress"));
    put(ADDRESS + "-2", body("egress"));
    assertThat(refusal(put(ADDRESS + "-3", body("egress"))))
        .isEqualTo("400 PublicIpPrefixOutOfIpAddresses");
    prefix("other", "198.51.100.0/31");
    cloud.pass(LASTS);
    assertThat(refusal(put(ADDRESS, body("other")))).isEqualTo("400 PublicIPPrefixCannotBeChanged");
  }

  @Test
  @DisplayName("an interface refers to an address that is there; one described inline is refused")
  void reference() {
    assertThat(refusal(cloud.putNic(using(Document.of("name", "vm-ip")))))
        .isEqualTo("400 InvalidRequestFormat MissingJsonReferenceId");
    assertThat(refusal(cloud.putNic(using(Document.reference(ADDRESS)))))
        .isEqualTo("400 InvalidResourceReference");
    put(ADDRESS, body("egress"));
    assertThat(refusal(cloud.putNic(using(Document.reference(ADDRESS)))))
        .isEqualTo("429 RetryableError ReferencedResourceNotProvisioned");
    cloud.pass(LASTS);
    assertThat(cloud.putNic(using(Document.reference(ADDRESS))).status()).isEqualTo(200);
    cloud.pass(LASTS);
    Document primary = configurations(cloud.nic()).get(0).object("properties");
    assertThat(primary.object("publicIPAddress")).isEqualTo(Document.reference(ADDRESS));
    assertThat(address(ADDRESS).object("ipConfiguration"))
        .isEqualTo(Document.reference(NIC + "/ipConfigurations/primary"));
  }

  @Test
  @DisplayName("an address serves one configuration, and is free again when that lets it go")
  void inUse() {
    put(ADDRESS, body("egress"));
    cloud.pass(LASTS);
    cloud.putNic(using(Document.reference(ADDRESS)));
    cloud.pass(LASTS);
    String other = NIC + "-2";
    List<Document> one = List.of(Cloud.configuration("a", Cloud.SUBNET, true));
    Document second =
        Document.of("location", "westeurope")
            .withProperty("ipConfigurations", using(Document.reference(ADDRESS)).apply(one));
    assertThat(refusal(put(other, second))).isEqualTo("400 PublicIPAddressInUse");
    cloud.putNic(without("publicIPAddress"));
    assertThat(address(ADDRESS).has("ipConfiguration")).isFalse();
    assertThat(put(other, second).status()).isEqualTo(201);
  }

  @Test
  @DisplayName("an address goes with its machine when it says so")
  void deleted() {
    put(ADDRESS, body("egress"));
    cloud.pass(LASTS);
    cloud.putNic(using(Document.reference(ADDRESS)));
    cloud.pass(LASTS);
    cloud.owner().delete(VM);
    assertThat(cloud.get(ADDRESS, NETWORK_API).status()).isEqualTo(404);
    assertThat(prefixes().get(0).object("properties").has("publicIPAddresses")).isFalse();
  }

  @Test
  @DisplayName("an instance gets an address by its model, at the end of the operation")
  void instance() {
    assertThat(cloud.putInstance(asking("egress")).status()).isEqualTo(200);
    assertThat(ofInstance()).isEmpty();
    cloud.pass(LASTS);
    Document given = ofInstance().get(0);
    assertThat(given.text("id")).contains(OF_INSTANCE + "/node-ip");
    assertThat(given.object("properties").text("ipAddress").orElseThrow()).startsWith("203.0.113.");
    Document listed = configurations(cloud.listed()).get(0).object("properties");
    assertThat(listed.object("publicIPAddress"))
        .isEqualTo(Document.reference(OF_INSTANCE + "/node-ip"));
    assertThat(listed.has("publicIPAddressConfiguration")).isFalse();
    cloud.putInstance(plus(1));
    cloud.pass(LASTS);
    assertThat(ofInstance()).as("it is kept by later writes").containsExactly(given);
    cloud.putInstance(without("publicIPAddressConfiguration"));
    cloud.pass(LASTS);
    assertThat(ofInstance()).isEmpty();
    assertThat(prefixes().get(0).object("properties").has("publicIPAddresses")).isFalse();
  }

  @Test
  @DisplayName(
      "AZ-B31 a full prefix is accepted, then the operation fails; so does every write until the"
          + " model names it no more")
  void exhausted() {
    put(ADDRESS, body("egress"));
    put(ADDRESS + "-2", body("egress"));
    assertThat(statuses()).contains("ProvisioningState/succeeded");
    ArmReply accepted = cloud.putInstance(asking("egress"));
    assertThat(accepted.status()).isEqualTo(200);
    cloud.pass(LASTS);
    Document ended =
        answered(
            cloud.send("GET", accepted.headers().getOrDefault("Azure-AsyncOperation", "")), 200);
    assertThat(ended.text("status")).contains("Failed");
    assertThat(ended.object("error").text("code"))
        .contains("PublicIpPrefixOutOfIpAddressesForVMScaleSet");
    assertThat(ended.object("error").text("message").orElseThrow())
        .contains("can provide 2 public ips at maximum, 2 of them are in use");
    String failed = "ProvisioningState/failed/PublicIpPrefixOutOfIpAddressesForVMScaleSet";
    assertThat(statuses()).contains(failed);
    cloud.putInstance(plus(1));
    cloud.pass(LASTS);
    assertThat(configurations(cloud.listed())).hasSize(1);
    assertThat(statuses()).contains(failed);
    cloud.putInstance(without("publicIPAddressConfiguration"));
    cloud.pass(LASTS);
    assertThat(configurations(cloud.listed())).hasSize(2);
    assertThat(statuses()).contains("ProvisioningState/succeeded");
  }

  @Test
  @DisplayName("writes need the join actions on prefixes and addresses that they name")
  void linked() {
    put(ADDRESS, body("egress"));
    cloud.pass(LASTS);
    cloud.roles(new Role("*", "/", List.of("*"), List.of("*/publicIP*/join/action")));
    assertThat(put(ADDRESS + "-2", body("egress")).body())
        .contains("LinkedAuthorizationFailed", "Microsoft.Network/publicIPPrefixes/join/action");
    assertThat(cloud.putInstance(asking("egress")).body())
        .contains("LinkedAuthorizationFailed", "Microsoft.Network/publicIPPrefixes/join/action");
    assertThat(cloud.putNic(using(Document.reference(ADDRESS))).body())
        .contains("LinkedAuthorizationFailed", "Microsoft.Network/publicIPAddresses/join/action");
  }

  @Test
  @DisplayName("each request needs an action of its own and is recorded by its name")
  void actions() {
    put(ADDRESS, body("egress"));
    address(ADDRESS);
    prefixes();
    ofInstance();
    assertThat(cloud.model().audit().counts())
        .containsOnlyKeys(
            "PublicIPAddresses.CreateOrUpdate",
            "PublicIPAddresses.Get",
            "PublicIPPrefixes.List",
            "PublicIPAddresses.ListVirtualMachineScaleSetVMPublicIPAddresses");
    cloud.roles();
    assertThat(put(ADDRESS, body("egress")).body())
        .contains("'Microsoft.Network/publicIPAddresses/write'");
    assertThat(cloud.get(ADDRESS, NETWORK_API).body())
        .contains("'Microsoft.Network/publicIPAddresses/read'");
    assertThat(cloud.get(PREFIXES, NETWORK_API).body())
        .contains("'Microsoft.Network/publicIPPrefixes/read'");
    assertThat(cloud.get(OF_INSTANCE, LIST_API).body())
        .contains("/networkInterfaces/ipConfigurations/publicIPAddresses/read'");
    assertThat(cloud.get(OF_INSTANCE, NETWORK_API).body()).contains("NoRegisteredProviderFound");
  }
}
