package io.tidemark.emulator.arm;

import static io.tidemark.emulator.arm.Cloud.COMPUTE_API;
import static io.tidemark.emulator.arm.Cloud.GROUP;
import static io.tidemark.emulator.arm.Cloud.INSTANCE_0;
import static io.tidemark.emulator.arm.Cloud.LIST_API;
import static io.tidemark.emulator.arm.Cloud.NETWORK_API;
import static io.tidemark.emulator.arm.Cloud.NIC;
import static io.tidemark.emulator.arm.Cloud.SET;
import static io.tidemark.emulator.arm.Cloud.VM;
import static io.tidemark.emulator.arm.Cloud.answered;
import static io.tidemark.emulator.arm.Cloud.configurations;
import static io.tidemark.emulator.arm.Cloud.plus;
import static io.tidemark.emulator.arm.Cloud.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.model.Power;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.kit.pace.DelayRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("13.8 (h) to (k) Reads, and the life of an instance")
class ReadRulesTest {
  @Test
  @DisplayName("(h) a list comes in pages, whose links have their own version of the API")
  void paging() {
    Cloud cloud = new Cloud(ModelOptions.builder(1).pageSize(2).build());
    for (int i = 2; i < 5; i++) {
      cloud.owner().addInstance(SET, i);
    }
    List<String> names = new ArrayList<>();
    ArmReply reply = cloud.get(SET + "/networkInterfaces", LIST_API);
    Optional<String> next = page(reply, names);
    while (next.isPresent()) {
      assertThat(next.get()).startsWith(Cloud.ORIGIN).contains("api-version=" + LIST_API);
      next = page(cloud.send("GET", next.get()), names);
    }
    assertThat(names).hasSize(5).doesNotHaveDuplicates();
    assertThat(
            cloud.model().audit().count("Interfaces.ListVirtualMachineScaleSetNetworkInterfaces"))
        .isEqualTo(3);
  }

  private static Optional<String> page(ArmReply reply, List<String> ids) {
    Document page = answered(reply, 200);
    page.objects("value").forEach(each -> ids.add(each.text("id").orElseThrow()));
    return page.text("nextLink");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "/subscriptions/s2/resourceGroups/g1/providers/Microsoft.Network/networkInterfaces/x,SubscriptionNotFound",
    "/subscriptions/s1/resourceGroups/g2/providers/Microsoft.Network/networkInterfaces/x,ResourceGroupNotFound",
    "/subscriptions/s1/resourceGroups/g1/providers/Microsoft.Network/networkInterfaces/x,ResourceNotFound",
    "/subscriptions/s1/resourceGroups/g1/providers/Microsoft.Compute/virtualMachines/x,ResourceNotFound",
    "/subscriptions/s1/resourceGroups/g1/providers/Microsoft.Compute/virtualMachineScaleSets/x/virtualMachines/0,ParentResourceNotFound",
    "/subscriptions/s1/resourceGroups/g1/providers/Microsoft.Compute/virtualMachineScaleSets/set/virtualMachines/9,ResourceNotFound",
    "/subscriptions/s1/resourceGroups/g1/providers/Microsoft.Compute/virtualMachineScaleSets/x,ResourceNotFound",
    "/subscriptions/s1/resourceGroups/g1/providers/Microsoft.Network/virtualNetworks/net/subnets/x,ResourceNotFound"
  })
  @DisplayName("(i) what is not there is answered with 404 and tells what is missing")
  void missing(String path, String code) {
    assertThat(refusal(new Cloud().get(path, NETWORK_API))).isEqualTo("404 " + code);
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "GET,/subscriptions/s1/resourceGroups/g1/providers/Microsoft.Sql/servers/x",
    "GET,/nothing",
    "DELETE,/subscriptions/s1/resourceGroups/g1/providers/Microsoft.Compute/virtualMachines/vm",
    "PATCH,/subscriptions/s1/resourceGroups/g1/providers/Microsoft.Compute/virtualMachineScaleSets/set",
    "PUT,/subscriptions/s1/resourceGroups/g1/providers/Microsoft.Network/virtualNetworks/net",
    "POST,/subscriptions/s1/resourceGroups/g1/providers/Microsoft.Compute/virtualMachines/vm/start",
    "HEAD,/subscriptions/s1/resourceGroups/g1/providers/Microsoft.Network/networkInterfaces/vm-eth0"
  })
  @DisplayName("(i) what is not served is 501, which nobody takes for the absence of a resource")
  void notServed(String method, String path) {
    ArmReply reply = new Cloud().send(method, path + "?api-version=" + NETWORK_API);
    assertThat(refusal(reply)).isEqualTo("501 NotImplemented");
  }

  @Test
  @DisplayName("(i) an instance of a Uniform set is asked for by its number")
  void instanceNumber() {
    Cloud cloud = new Cloud();
    assertThat(refusal(cloud.get(SET + "/virtualMachines/set_0", COMPUTE_API)))
        .isEqualTo("400 InvalidParameter");
    assertThat(refusal(cloud.get(SET + "x/virtualMachines/set_0", COMPUTE_API)))
        .isEqualTo("404 ParentResourceNotFound");
  }

  @Test
  @DisplayName("(i) what has an etag has it as a header too, in versions that know it")
  void etagHeader() {
    Cloud cloud = new Cloud();
    for (String path : List.of(NIC, VM, INSTANCE_0, Cloud.SUBNET)) {
      ArmReply reply = cloud.get(path, COMPUTE_API);
      assertThat(reply.headers().get("ETag"))
          .isEqualTo(answered(reply, 200).text("etag").orElseThrow());
    }
    assertThat(cloud.putInstance(plus(1)).headers()).containsEntry("ETag", "\"2\"");
    assertThat(cloud.get(INSTANCE_0, "2023-07-01").headers()).doesNotContainKey("ETag");
  }

  @Test
  @DisplayName("(i) a set without instances is answered as one that does not exist")
  void emptySet() {
    Cloud cloud = new Cloud();
    cloud.owner().addScaleSet(SET + "2", "westeurope", true, List.of());
    assertThat(refusal(cloud.get(SET + "2/networkInterfaces", LIST_API))).isEqualTo("404 NotFound");
    assertThat(refusal(cloud.get(SET + "3/networkInterfaces", LIST_API))).isEqualTo("404 NotFound");
    assertThat(cloud.get(SET + "/networkInterfaces", LIST_API).status()).isEqualTo(200);
  }

  @Test
  @DisplayName("(i) paths are the same in any case, also microsoft.Compute")
  void anyCase() {
    Cloud cloud = new Cloud();
    for (String path : List.of(NIC, VM, INSTANCE_0, Cloud.SUBNET)) {
      String version = NETWORK_API;
      assertThat(cloud.get(path.toUpperCase(Locale.ROOT), version).status()).isEqualTo(200);
      assertThat(cloud.get(path.toLowerCase(Locale.ROOT), version).status()).isEqualTo(200);
    }
    String list = SET.replace("Microsoft.Compute", "microsoft.Compute") + "/networkInterfaces";
    assertThat(cloud.get(list, LIST_API).status()).isEqualTo(200);
  }

  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource({
    "nic,'',MissingApiVersionParameter",
    "nic,today,InvalidApiVersionParameter",
    "nic,2010-01-01,InvalidApiVersionParameter",
    "list,2025-03-01,NoRegisteredProviderFound"
  })
  @DisplayName("(i) a request needs a version of the API that there is")
  void versions(String what, String version, String code) {
    String path = what.equals("nic") ? NIC : SET + "/networkInterfaces";
    assertThat(
            refusal(
                new Cloud()
                    .send("GET", version.isEmpty() ? path : path + "?api-version=" + version)))
        .isEqualTo("400 " + code);
  }

  @Test
  @DisplayName("(j) lists of a set lag behind its model by a set delay, the model does not")
  void lag() {
    Duration lag = Duration.ofSeconds(8);
    Cloud cloud = new Cloud(ModelOptions.builder(1).listLag(DelayRange.fixed(lag)).build());
    assertThat(
            answered(cloud.get(INSTANCE_0 + "/networkInterfaces", LIST_API), 200).objects("value"))
        .isEmpty();
    cloud.pass(lag);
    cloud.putInstance(plus(1));
    assertThat(configurations(cloud.listed())).hasSize(1);
    cloud.pass(lag.minusNanos(1));
    assertThat(configurations(cloud.listed())).hasSize(1);
    cloud.pass(Duration.ofNanos(1));
    assertThat(configurations(cloud.listed())).hasSize(2);
  }

  @Test
  @DisplayName("(j) or lists lag exactly so far as they are told, at most by that delay")
  void behind() {
    Duration most = Duration.ofSeconds(8);
    Cloud cloud = new Cloud(ModelOptions.builder(1).listLag(DelayRange.upTo(most)).build());
    cloud.pass(most.multipliedBy(2));
    cloud.model().listsBehind(Optional.of(Duration.ZERO));
    cloud.putInstance(plus(1));
    assertThat(configurations(cloud.listed())).hasSize(2);
    cloud.pass(Duration.ofSeconds(3));
    cloud.model().listsBehind(Optional.of(Duration.ofSeconds(4)));
    assertThat(configurations(cloud.listed())).hasSize(1);
    cloud.pass(Duration.ofSeconds(1));
    assertThat(configurations(cloud.listed())).hasSize(2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cloud.model().listsBehind(Optional.of(most.plusNanos(1))))
        .withMessageContaining("at most the list lag");
  }

  @Test
  @DisplayName("(j) a new interface has no MAC address at first")
  void mac() {
    Duration wait = Duration.ofSeconds(5);
    Cloud cloud = new Cloud(ModelOptions.builder(1).macDelay(DelayRange.fixed(wait)).build());
    assertThat(cloud.nic().object("properties").has("macAddress")).isFalse();
    cloud.pass(wait);
    assertThat(cloud.nic().object("properties").text("macAddress").orElseThrow())
        .matches("00-0D-3A(-[0-9A-F]{2}){3}");
  }

  private static List<String> codes(Cloud cloud, String machine) {
    return answered(cloud.get(machine + "?$expand=instanceView", COMPUTE_API), 200)
        .object("properties")
        .object("instanceView")
        .objects("statuses")
        .stream()
        .map(each -> each.text("code").orElseThrow())
        .toList();
  }

  @Test
  @DisplayName("(k) an instance is stopped, deallocated, deleted; its states are shown")
  void life() {
    Cloud cloud = new Cloud();
    assertThat(codes(cloud, INSTANCE_0))
        .containsExactly("ProvisioningState/succeeded", "PowerState/running");
    cloud.owner().setPower(INSTANCE_0, Power.DEALLOCATED);
    assertThat(codes(cloud, INSTANCE_0)).contains("PowerState/deallocated");
    assertThat(
            answered(cloud.get(INSTANCE_0, COMPUTE_API), 200)
                .object("properties")
                .has("instanceView"))
        .isFalse();
    cloud.owner().markForDeletion(INSTANCE_0);
    ArmReply refused = cloud.putInstance(plus(1));
    assertThat(refusal(refused)).isEqualTo("409 OperationNotAllowed");
    assertThat(refused.body()).contains("marked for deletion");
    cloud.owner().delete(INSTANCE_0);
    assertThat(cloud.get(INSTANCE_0, COMPUTE_API).status()).isEqualTo(404);
    assertThat(cloud.get(INSTANCE_0 + "/networkInterfaces", LIST_API).status()).isEqualTo(404);
  }

  @Test
  @DisplayName("(k) an upgrade to the set's model takes away what one instance had")
  void upgrade() {
    Cloud cloud = new Cloud();
    cloud.putInstance(plus(5));
    assertThat(configurations(cloud.listed())).hasSize(6);
    cloud.owner().upgradeToModel(INSTANCE_0);
    assertThat(configurations(cloud.listed())).hasSize(1);
  }

  @Test
  @DisplayName("(k) instances of a Flexible set are virtual machines with interfaces of their own")
  void flexible() {
    Cloud cloud = new Cloud();
    String set = SET + "-flexible";
    cloud.owner().addScaleSet(set, "westeurope", false, List.of());
    cloud.owner().addMachine(VM + "-2", "westeurope", Optional.of(set));
    Document member = answered(cloud.get(VM + "-2", COMPUTE_API), 200);
    assertThat(member.object("properties").object("virtualMachineScaleSet").text("id"))
        .contains(set);
    assertThat(
            answered(
                    cloud.get(
                        GROUP + "/providers/Microsoft.Compute/virtualMachineScaleSets",
                        COMPUTE_API),
                    200)
                .objects("value"))
        .extracting(each -> each.object("properties").text("orchestrationMode").orElseThrow())
        .containsExactly("Uniform", "Flexible");
  }

  @Test
  @DisplayName("a machine with several interfaces tells which is primary, one with one does not")
  void primaryInterface() {
    Cloud cloud = new Cloud();
    assertThat(attached(cloud)).extracting(each -> each.has("properties")).containsExactly(false);
    cloud
        .owner()
        .addInterface(
            NIC + "-0",
            VM,
            List.of(Cloud.configuration("primary", Cloud.SUBNET, true)),
            Document.EMPTY);
    assertThat(attached(cloud))
        .extracting(each -> each.object("properties").flag("primary").orElseThrow())
        .containsExactly(true, false);
  }

  private static List<Document> attached(Cloud cloud) {
    return answered(cloud.get(VM, COMPUTE_API), 200)
        .object("properties")
        .object("networkProfile")
        .objects("networkInterfaces");
  }
}
