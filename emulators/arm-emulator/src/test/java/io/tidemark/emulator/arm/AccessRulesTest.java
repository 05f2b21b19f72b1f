package io.tidemark.emulator.arm;

import static io.tidemark.emulator.arm.Cloud.GROUP;
import static io.tidemark.emulator.arm.Cloud.NETWORK_API;
import static io.tidemark.emulator.arm.Cloud.NIC;
import static io.tidemark.emulator.arm.Cloud.SUBNET;
import static io.tidemark.emulator.arm.Cloud.answered;
import static io.tidemark.emulator.arm.Cloud.plus;
import static io.tidemark.emulator.arm.Cloud.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.gate.Access.Role;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.ArmRequest;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.emulator.kit.pace.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("13.8 (l), (m) Who may ask, what goes wrong, and what is recorded")
class AccessRulesTest {
  private final Cloud cloud = new Cloud();

  private static Role role(String scope, List<String> actions, List<String> notActions) {
    return new Role("p1", scope, actions, notActions);
  }

  @Test
  @DisplayName("(l) an action that no role allows is refused with its name and scope")
  void denied() {
    cloud.roles(role(GROUP, List.of("*/read"), List.of("*/subnets/read")));
    assertThat(cloud.get(NIC, NETWORK_API).status()).isEqualTo(200);
    assertThat(refusal(cloud.get(SUBNET, NETWORK_API))).isEqualTo("403 AuthorizationFailed");
    ArmReply refused = cloud.putNic(plus(1));
    assertThat(refusal(refused)).isEqualTo("403 AuthorizationFailed");
    assertThat(refused.body()).contains("Microsoft.Network/networkInterfaces/write", NIC);
    assertThat(cloud.as("p2").get(NIC, NETWORK_API).status()).isEqualTo(403);
  }

  @Test
  @DisplayName("(l) a write needs the actions on what its body names")
  void linked() {
    cloud.roles(role("/", List.of("*"), List.of("*/subnets/join/action")));
    ArmReply refused = cloud.putNic(plus(1));
    assertThat(refusal(refused)).isEqualTo("403 LinkedAuthorizationFailed");
    assertThat(refused.body())
        .contains("Microsoft.Network/virtualNetworks/subnets/join/action", SUBNET);
  }

  @Test
  @DisplayName("(l) each kind of membership has an action of its own")
  void memberships() {
    String network = GROUP + "/providers/Microsoft.Network/";
    Map<String, String> kinds =
        Map.of(
            "loadBalancerBackendAddressPools", "loadBalancers/lb/backendAddressPools/p",
            "loadBalancerInboundNatRules", "loadBalancers/lb/inboundNatRules/p",
            "applicationGatewayBackendAddressPools", "applicationGateways/g/backendAddressPools/p");
    kinds.forEach(
        (key, id) -> {
          String action =
              "Microsoft.Network/" + id.replaceAll("/[a-z]+/", "/").replace("/p", "/join/action");
          cloud.roles(role("/", List.of("*"), List.of(action)));
          ArmReply refused =
              cloud.putNic(
                  all ->
                      List.of(
                          all.get(0).withProperty(key, List.of(Document.reference(network + id)))));
          assertThat(refusal(refused)).isEqualTo("403 LinkedAuthorizationFailed");
          assertThat(refused.body()).contains(action, network + id);
        });
  }

  @Test
  @DisplayName("(l) there are no permissions where there is nothing")
  void noScope() {
    String permissions = "/providers/Microsoft.Authorization/permissions";
    assertThat(refusal(cloud.get("/subscriptions/s2" + permissions, "2022-04-01")))
        .isEqualTo("404 SubscriptionNotFound");
    assertThat(refusal(cloud.get(GROUP + "x" + permissions, "2022-04-01")))
        .isEqualTo("404 ResourceGroupNotFound");
    assertThat(cloud.get("/subscriptions/s1" + permissions, "2022-04-01").status()).isEqualTo(200);
  }

  @Test
  @DisplayName("(l) the permissions of a scope are those of the roles above it")
  void permissions() {
    cloud.roles(
        role("/", List.of("a/*"), List.of("a/b")),
        role(GROUP, List.of("c"), List.of()),
        role(NIC, List.of("d"), List.of()),
        new Role("p2", "/", List.of("e"), List.of()));
    Document list =
        answered(
            cloud.get(GROUP + "/providers/Microsoft.Authorization/permissions", "2022-04-01"), 200);
    assertThat(list.objects("value"))
        .extracting(each -> each.get("actions"), each -> each.get("notActions"))
        .containsExactly(tuple(List.of("a/*"), List.of("a/b")), tuple(List.of("c"), List.of()));
  }

  @Test
  @DisplayName("(l) a lock refuses writes below its scope, not reads")
  void locks() {
    cloud.model().access().setLocks(List.of(GROUP));
    assertThat(refusal(cloud.putNic(plus(1)))).isEqualTo("409 ScopeLocked");
    assertThat(cloud.get(NIC, NETWORK_API).status()).isEqualTo(200);
  }

  private ArmReply withToken(String header) {
    return cloud
        .model()
        .apply(
            new ArmRequest(
                "GET",
                Cloud.ORIGIN,
                NIC,
                Map.of("api-version", NETWORK_API),
                Optional.of(header).filter(text -> !text.isEmpty()),
                Optional.empty(),
                Optional.empty()),
            cloud.now());
  }

  @Test
  @DisplayName("(l) a request needs a token that was given and is not over")
  void tokens() {
    String token = cloud.model().giveToken("p1", cloud.now());
    assertThat(withToken("Bearer " + token).status()).isEqualTo(200);
    assertThat(refusal(withToken(""))).isEqualTo("401 AuthenticationFailed");
    assertThat(withToken("").headers().get("WWW-Authenticate"))
        .matches("Bearer authorization_uri=\"[^\"]+\", error=\"invalid_token\", error_descr.*");
    assertThat(refusal(withToken("Bearer other"))).isEqualTo("401 InvalidAuthenticationToken");
    assertThat(refusal(withToken(token))).isEqualTo("401 InvalidAuthenticationToken");
    cloud.pass(Duration.ofHours(1));
    assertThat(refusal(withToken("Bearer " + token))).isEqualTo("401 ExpiredAuthenticationToken");
    String second = cloud.model().giveToken("p1", cloud.now());
    cloud.model().revokeTokens();
    assertThat(refusal(withToken("Bearer " + second))).isEqualTo("401 InvalidAuthenticationToken");
  }

  @Test
  @DisplayName("faults: each kind does what it says to the requests of its operation and path")
  void faults() {
    String get = "Interfaces.Get";
    cloud.faults(
        ArmFault.every(get, ArmFault.Kind.FAIL).once(),
        ArmFault.every(get, ArmFault.Kind.LOSE_ANSWER).once(),
        ArmFault.every(get, ArmFault.Kind.HANG).once(),
        ArmFault.every(get, ArmFault.Kind.HTML).once(),
        ArmFault.every(get, ArmFault.Kind.TRUNCATE).once(),
        ArmFault.every("*", ArmFault.Kind.FAIL).on("/VIRTUALMACHINES/VM"));
    assertThat(refusal(cloud.get(NIC, NETWORK_API))).isEqualTo("500 InternalServerError");
    assertThat(cloud.get(NIC, NETWORK_API).delivery()).isEqualTo(Delivery.LOST);
    assertThat(cloud.get(NIC, NETWORK_API).delivery()).isEqualTo(Delivery.NEVER);
    assertThat(cloud.get(NIC, NETWORK_API).body()).startsWith("<html>");
    assertThat(cloud.get(NIC, NETWORK_API).body()).startsWith("{").doesNotEndWith("}");
    assertThat(cloud.get(NIC, NETWORK_API).status()).isEqualTo(200);
    assertThat(cloud.get(Cloud.VM, NETWORK_API).status()).isEqualTo(500);
  }

  @Test
  @DisplayName("faults: a lost answer was carried out, a lost request was not")
  void lost() {
    String put = "Interfaces.CreateOrUpdate";
    cloud.faults(ArmFault.every(put, ArmFault.Kind.LOSE_REQUEST));
    cloud.putNic(plus("a", 1));
    assertThat(Cloud.configurations(cloud.nic())).hasSize(1);
    cloud.faults(ArmFault.every(put, ArmFault.Kind.LOSE_ANSWER));
    cloud.putNic(plus("b", 1));
    assertThat(Cloud.configurations(cloud.nic())).hasSize(2);
  }

  @Test
  @DisplayName("(m) every request is recorded: who, what, which answer")
  void audit() {
    cloud.get(NIC, NETWORK_API);
    cloud.as("p2").get(NIC + "x", NETWORK_API);
    assertThat(cloud.model().audit().entries())
        .extracting(
            each -> each.principal() + " " + each.operation() + " " + each.status() + each.code())
        .containsExactly("p1 Interfaces.Get 200", "p2 Interfaces.Get 404ResourceNotFound");
    assertThat(cloud.model().audit().count("Interfaces.Get")).isEqualTo(2);
  }

  private static List<String> session(long seed) {
    Cloud cloud =
        new Cloud(
            ModelOptions.builder(seed)
                .operation(new DelayRange(Duration.ofSeconds(1), Duration.ofSeconds(30)))
                .listLag(DelayRange.upTo(Duration.ofSeconds(5)))
                .latency(DelayRange.upTo(Duration.ofSeconds(1)))
                .build());
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      answers.add(cloud.putNic(plus(2)).toString());
      answers.add(cloud.putInstance(plus(2)).toString());
      cloud.pass(Duration.ofSeconds(12));
      answers.add(cloud.get(Cloud.INSTANCE_0 + "/networkInterfaces", Cloud.LIST_API).toString());
    }
    return answers;
  }

  @Test
  @DisplayName("(m) the same seed and the same calls give the same answers, another seed others")
  void deterministic() {
    assertThat(session(7)).isEqualTo(session(7));
    assertThat(session(7)).isNotEqualTo(session(8));
  }
}
