package io.tidemark.provider.azure.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.document.DocumentJson;
import io.tidemark.emulator.arm.gate.Access.Role;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.azure.identity.AccessTokens;
import io.tidemark.provider.azure.network.ArmSamples;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Finding;
import io.tidemark.spi.Finding.Verdict;
import io.tidemark.testing.Repository;
import io.tidemark.testing.Samples;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The checkup of Azure")
class AzureCheckupTest {
  private final CheckupWorld world = new CheckupWorld();

  private static List<Finding> permissions(List<Finding> findings) {
    return findings.stream().filter(each -> each.area().equals("permission")).toList();
  }

  private static Finding only(List<Finding> findings, String subject) {
    List<Finding> found =
        findings.stream().filter(each -> each.subject().contains(subject)).toList();
    assertThat(found).as(subject + " of " + findings).hasSize(1);
    return found.get(0);
  }

  private static Document role(Finding finding) {
    return DocumentJson.read(finding.snippet().orElseThrow()).orElseThrow();
  }

  private static Role role(String scope, String... actions) {
    return new Role("doctor", scope, List.of(actions), List.of());
  }

  private static Role without(String... actions) {
    return new Role("doctor", "/", List.of("*"), List.of(actions));
  }

  @Test
  @DisplayName("finds all well where everything is, in the order of its areas")
  void well() {
    world.withLinks();
    List<Finding> findings = world.checkup(CheckupWorld.nodes());
    assertThat(findings.stream().map(Finding::area).distinct())
        .containsExactly("identity", "cloud", "endpoint", "clock", "permission", "quota");
    assertThat(findings)
        .filteredOn(each -> each.verdict() != Verdict.OK && each.verdict() != Verdict.GRANTED)
        .singleElement()
        .extracting(Finding::subject)
        .isEqualTo("deny assignments, locks, policies");
    assertThat(permissions(findings)).hasSize(16);
    assertThat(only(findings, "subnet cluster/nodes").detail())
        .isEqualTo("4086 of 4091 addresses can be given");
    assertThat(only(findings, "client secret of client").detail()).isEqualTo("has a token");
    assertThat(world.took).isLessThan(Duration.ofSeconds(1));
    assertThat(world.checkup(CheckupWorld.nodes())).isEqualTo(findings);
  }

  @Test
  @DisplayName("AZ-N50 finds the role of deploy/azure sufficient, and needs each of its actions")
  void shippedRole() {
    Document shipped = DocumentJson.read(Repository.text("deploy/azure/role.json")).orElseThrow();
    List<String> actions =
        ((List<?>) Objects.requireNonNull(shipped.get("Actions")))
            .stream().map(String::valueOf).toList();
    world.withLinks();
    world.roles(role("/", actions.toArray(String[]::new)));

    assertThat(permissions(world.checkup(CheckupWorld.nodes())))
        .filteredOn(each -> each.verdict() == Verdict.GRANTED)
        .extracting(Finding::subject)
        .containsExactlyInAnyOrderElementsOf(actions);
    assertThat(world.checkup(CheckupWorld.nodes())).noneMatch(each -> each.verdict().isWrong());
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "Microsoft.Compute/virtualMachineScaleSets/networkInterfaces/read",
        "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/read",
        "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/write",
        "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/networkInterfaces/read",
        "Microsoft.Compute/virtualMachines/read",
        "Microsoft.Network/networkInterfaces/read",
        "Microsoft.Network/networkInterfaces/write",
        "Microsoft.Network/virtualNetworks/subnets/read",
        "Microsoft.Network/virtualNetworks/subnets/join/action",
        "Microsoft.Network/networkSecurityGroups/join/action",
        "Microsoft.Network/applicationSecurityGroups/joinIpConfiguration/action",
        "Microsoft.Network/loadBalancers/backendAddressPools/join/action",
        "Microsoft.Network/publicIPPrefixes/read",
        "Microsoft.Network/publicIPPrefixes/join/action",
        "Microsoft.Network/publicIPAddresses/read",
        "Microsoft.Network/publicIPAddresses/write",
        "Microsoft.Network/publicIPAddresses/join/action",
        "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/networkInterfaces"
            + "/ipConfigurations/publicIPAddresses/read"
      })
  @DisplayName("AZ-N50 names the one action that is missing, with the role to add")
  void missing(String action) {
    world.withLinks();
    world.roles(without(action));
    List<Finding> findings =
        world.checkup(
            List.of(
                Samples.node("a").instanceId(CheckupWorld.INSTANCE).staticIpTag("a", "b").build(),
                Samples.node("b").instanceId(CheckupWorld.MACHINE).staticIpTag("a", "b").build()));
    Finding missing =
        findings.stream().filter(each -> each.verdict().isWrong()).findFirst().orElseThrow();
    assertThat(findings).filteredOn(each -> each.verdict().isWrong()).hasSize(1);
    assertThat(missing.subject()).isEqualTo(action);
    assertThat(missing.verdict()).isEqualTo(Verdict.MISSING);
    assertThat(role(missing).get("Actions")).isEqualTo(List.of(action));
    assertThat(role(missing).get("AssignableScopes"))
        .isIn(List.of(CheckupWorld.NODES), List.of(CheckupWorld.NETWORK));
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "Microsoft.Network/virtualNetworks/usages/read",
        "Microsoft.Network/locations/operations/read",
        "Microsoft.Compute/locations/operations/read"
      })
  @DisplayName("AZ-N50 warns of a missing action that has a substitute, and says which one")
  void substituted(String action) {
    world.roles(without(action));
    List<Finding> findings = world.checkup(CheckupWorld.nodes());
    assertThat(findings).noneMatch(each -> each.verdict().isWrong());
    Finding warned = only(findings, action);
    assertThat(warned.verdict()).isEqualTo(Verdict.WARNING);
    assertThat(warned.detail()).contains("instead");
    assertThat(role(warned).get("AssignableScopes"))
        .isEqualTo(
            List.of(
                action.endsWith("operations/read")
                    ? CheckupWorld.SUBSCRIPTION
                    : CheckupWorld.NETWORK));
  }

  @Test
  @DisplayName("AZ-N50 tells one role for each place, which its first missing action shows")
  void roles() {
    world.roles(role("/", "*/read"), role(CheckupWorld.NETWORK, "MICROSOFT.NETWORK/*"));
    List<Finding> missing =
        permissions(world.checkup(CheckupWorld.nodes())).stream()
            .filter(each -> each.verdict() == Verdict.MISSING)
            .toList();
    assertThat(missing)
        .extracting(Finding::subject)
        .containsExactly(
            "Microsoft.Network/networkInterfaces/write",
            "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/write");
    assertThat(role(missing.get(0)).get("Actions"))
        .isEqualTo(missing.stream().map(Finding::subject).toList());
    assertThat(missing.get(1).remedy()).isEqualTo("It is in a role above.");
    assertThat(missing.get(0).detail())
        .containsIgnoringCase("not granted on " + CheckupWorld.NODES);
    world.roles(role(CheckupWorld.NODES, "*"));
    assertThat(permissions(world.checkup(CheckupWorld.nodes())))
        .filteredOn(each -> each.verdict() == Verdict.MISSING)
        .extracting(Finding::subject)
        .containsExactly(
            "Microsoft.Network/virtualNetworks/subnets/read",
            "Microsoft.Network/virtualNetworks/subnets/join/action");
  }

  @Test
  @DisplayName("AZ-N50 decides nothing at a scope that does not tell its permissions")
  void refused() {
    world.azure.faults(
        ArmFault.every("Permissions.List", ArmFault.Kind.FAIL)
            .on("/subnets/nodes/")
            .withError(ArmError.of(403, "AuthorizationFailed", "no")));
    List<Finding> findings = world.checkup(CheckupWorld.nodes());
    Finding join = only(findings, "subnets/join/action");
    assertThat(join.verdict()).isEqualTo(Verdict.UNDECIDABLE);
    assertThat(join.detail()).contains("AuthorizationFailed");
    assertThat(only(findings, "networkInterfaces/write").verdict()).isEqualTo(Verdict.GRANTED);
  }

  @Test
  @DisplayName("without the permission to list interfaces says what is not known, and names it")
  void unlisted() {
    world.roles(without("Microsoft.Compute/virtualMachineScaleSets/networkInterfaces/read"));
    List<Finding> findings = world.checkup(List.of(CheckupWorld.uniform()));
    assertThat(only(findings, "virtualMachineScaleSets/networkInterfaces/read").verdict())
        .isEqualTo(Verdict.MISSING);
    assertThat(only(findings, "linked resources").verdict()).isEqualTo(Verdict.UNDECIDABLE);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "Microsoft.Network/networkInterfaces/read",
        "Microsoft.Network/networkInterfaces/write",
        "Microsoft.Network/networkSecurityGroups/join/action",
        "Microsoft.Network/publicIPAddresses/write"
      })
  @DisplayName("AZ-N50 an interface in another group than its machine needs the actions there")
  void elsewhere(String action) {
    requiresElsewhere(action, world.elsewhere(true));
  }

  @Test
  @DisplayName("AZ-N50 also beside one in the machine's group, when the node's status names it")
  void elsewhereToo() {
    requiresElsewhere("Microsoft.Network/networkInterfaces/write", world.elsewhere(false));
  }

  private void requiresElsewhere(String action, NodeResource node) {
    String group = CheckupWorld.SUBSCRIPTION + "/resourceGroups/nics";
    world.roles(
        role(CheckupWorld.NODES, "*"),
        role(CheckupWorld.NETWORK, "*"),
        new Role("doctor", group, List.of("*"), List.of(action)));
    List<Finding> wrong =
        world.checkup(List.of(node)).stream().filter(each -> each.verdict().isWrong()).toList();
    assertThat(wrong).extracting(Finding::subject).containsExactly(action);
    assertThat(role(wrong.get(0)).get("AssignableScopes")).isEqualTo(List.of(group));
  }

  @Test
  @DisplayName("AZ-N50 of a machine that cannot be read it is not known what its interfaces name")
  void elsewhereUnread() {
    NodeResource node = world.elsewhere(true);
    world.roles(without("Microsoft.Compute/virtualMachines/read"));
    List<Finding> findings = world.checkup(List.of(node));
    assertThat(only(findings, "virtualMachines/read").verdict()).isEqualTo(Verdict.MISSING);
    assertThat(only(findings, "linked resources").verdict()).isEqualTo(Verdict.UNDECIDABLE);
  }

  @Test
  @DisplayName("AZ-N50 the reads of the checkup take no more than azure-api-share")
  void share() {
    world.share = 0.02;
    assertThat(world.checkup(CheckupWorld.nodes())).noneMatch(each -> each.verdict().isWrong());
    assertThat(world.took).as("half a read a second").isGreaterThan(Duration.ofSeconds(5));
  }

  @ParameterizedTest(name = "instance id {0}")
  @ValueSource(strings = {"", "i-0123", "/subscriptions/s", "azure:///subscriptions/s"})
  @DisplayName("without nodes of Azure looks at who we are and who answers alone")
  void noNodes(String id) {
    List<NodeResource> nodes =
        id.isEmpty() ? List.of() : List.of(Samples.node("a").instanceId(id).build());
    List<Finding> findings = world.checkup(nodes);
    assertThat(findings).hasSize(5);
    assertThat(only(findings, "actions on").verdict()).isEqualTo(Verdict.UNDECIDABLE);
    assertThat(findings).noneMatch(each -> each.verdict().isWrong());
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(
      value = ArmFault.Kind.class,
      names = {"HTML", "TRUNCATE", "LOSE_ANSWER"})
  @DisplayName("takes no other answer for Resource Manager's, and sends it no token")
  void noResourceManager(ArmFault.Kind kind) {
    world.azure.faults(ArmFault.every("*", kind));
    List<Finding> findings = world.checkup(CheckupWorld.nodes());
    Finding endpoint = only(findings, "Resource Manager at https://management.azure.com");
    assertThat(endpoint.verdict()).isEqualTo(Verdict.FAILED);
    assertThat(endpoint.remedy()).contains("azure-resource-manager-endpoint");
    assertThat(permissions(findings))
        .extracting(Finding::verdict)
        .containsOnly(Verdict.UNDECIDABLE);
    assertThat(only(findings, "this machine").verdict()).isEqualTo(Verdict.UNDECIDABLE);
    assertThat(world.asked).containsOnly("Identity.Token", "Subscriptions.List");
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(
      value = ArmFault.Kind.class,
      names = {"HTML", "TRUNCATE", "LOSE_ANSWER", "FAIL"})
  @DisplayName("decides nothing by an answer that is none")
  void brokenAnswers(ArmFault.Kind kind) {
    world.azure.faults(
        ArmFault.every("Permissions.List", kind),
        ArmFault.every("VirtualNetworks.ListUsage", kind),
        ArmFault.every("Subnets.Get", kind));
    List<Finding> findings = world.checkup(CheckupWorld.nodes());
    assertThat(permissions(findings))
        .extracting(Finding::verdict)
        .containsOnly(Verdict.UNDECIDABLE);
    assertThat(only(findings, "subnet cluster/nodes").verdict()).isEqualTo(Verdict.UNDECIDABLE);
  }

  @Test
  @DisplayName("says that there is no token, and asks nothing without")
  void noToken() {
    world.authority =
        () -> {
          throw new IllegalStateException("the secret is wrong");
        };
    List<Finding> findings = world.checkup(CheckupWorld.nodes());
    Finding identity = only(findings, "client secret of client");
    assertThat(identity.verdict()).isEqualTo(Verdict.FAILED);
    assertThat(identity.detail()).contains("the secret is wrong");
    assertThat(only(findings, "Resource Manager at").verdict()).isEqualTo(Verdict.OK);
    assertThat(world.asked).containsOnly("Identity.Token", "Subscriptions.List");
  }

  @Test
  @DisplayName("says that Resource Manager refuses the token")
  void refusedToken() {
    world.authority = () -> new AccessTokens.Token("foreign", world.time.epochMillis() + 3_600_000);
    Finding identity = only(world.checkup(CheckupWorld.nodes()), "client secret of client");
    assertThat(identity.verdict()).isEqualTo(Verdict.FAILED);
    assertThat(identity.detail()).contains("InvalidAuthenticationToken").doesNotContain("foreign");
  }

  @ParameterizedTest(name = "{0} s")
  @ValueSource(ints = {0, 58, -58, 62, -298, 302, -302})
  @DisplayName("compares the clocks by the date of the answer")
  void clock(int ahead) {
    world.azureAhead(Duration.ofSeconds(ahead));
    Finding clock = only(world.checkup(List.of()), "this machine");
    int by = Math.abs(ahead);
    assertThat(clock.verdict())
        .isEqualTo(by >= 300 ? Verdict.FAILED : by >= 60 ? Verdict.WARNING : Verdict.OK);
    if (by >= 60) {
      assertThat(clock.detail()).endsWith((ahead > 0 ? " s behind" : " s ahead of") + " Azure");
    }
  }

  @Test
  @DisplayName("warns of a subnet that is nearly full, of several prefixes, and of small steps")
  void quota() {
    world.azure.change(
        owner -> {
          owner.addSubnet(
              CheckupWorld.VIRTUAL_NETWORK + "/subnets/small",
              List.of(Cidr.parse("10.1.0.0/28"), Cidr.parse("10.2.0.0/28")),
              false,
              20);
          owner.addMachine(CheckupWorld.MACHINE + "-small", "westeurope", Optional.empty());
          owner.addInterface(
              CheckupWorld.NODES + "/providers/Microsoft.Network/networkInterfaces/small",
              CheckupWorld.MACHINE + "-small",
              List.of(ArmSamples.primary(CheckupWorld.VIRTUAL_NETWORK + "/subnets/small")),
              Document.EMPTY);
        });
    List<Finding> findings =
        world.checkup(
            List.of(
                Samples.node("b").instanceId(CheckupWorld.MACHINE + "-small").build(),
                Samples.node("a").instanceId(CheckupWorld.INSTANCE).build()));
    assertThat(findings.stream().filter(each -> each.subject().startsWith("subnet cluster/small")))
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.verdict()).isEqualTo(Verdict.WARNING);
              assertThat(each.detail()).isEqualTo("1 of 22 addresses can be given");
            });
    assertThat(only(findings, "IPv4 prefixes of").detail()).startsWith("2;");
    Finding steps = only(findings, "writes of scale set instances");
    assertThat(steps.verdict()).isEqualTo(Verdict.WARNING);
    assertThat(steps.detail()).endsWith("is below 8 on a");
  }

  @Test
  @DisplayName("counts from the subnet where usages are not permitted, less what is kept free")
  void computedQuota() {
    world.roles(without("Microsoft.Network/virtualNetworks/usages/read"));
    world.subnetReserve = 4000;
    Finding subnet = only(world.checkup(CheckupWorld.nodes()), "subnet cluster/nodes");
    assertThat(subnet.detail())
        .isEqualTo(
            "87 of 4091 addresses can be given, azure-subnet-reserve kept, counted from the subnet");
    assertThat(subnet.verdict()).isEqualTo(Verdict.WARNING);
  }

  @ParameterizedTest(name = "{0} never answers")
  @ValueSource(strings = {"Permissions.List", "Subnets.Get", "VirtualNetworks.ListUsage"})
  @DisplayName("ends in time where one kind of request is never answered, with all others")
  void oneSilent(String silent) {
    world.limit = Duration.ofSeconds(20);
    world.fates =
        kind ->
            kind.equals(silent)
                ? EffectFate.requestLost()
                : EffectFate.answered(Duration.ofMillis(10), Duration.ofMillis(10));
    List<Finding> findings = world.checkup(CheckupWorld.nodes());
    assertThat(only(findings, "Resource Manager at").verdict()).isEqualTo(Verdict.OK);
    Finding join = only(findings, "subnets/join/action");
    if (silent.equals("Permissions.List")) {
      assertThat(join.verdict()).isEqualTo(Verdict.UNFINISHED);
      assertThat(join.detail()).isEqualTo("Permissions.List timed out");
    } else {
      assertThat(join.verdict()).isEqualTo(Verdict.GRANTED);
    }
  }

  @Test
  @DisplayName("ends in time where nothing answers, with what was waited for")
  void silent() {
    world.limit = Duration.ofSeconds(5);
    world.fates = kind -> EffectFate.requestLost();
    List<Finding> findings = world.checkup(CheckupWorld.nodes());
    assertThat(only(findings, "client secret").verdict()).isEqualTo(Verdict.UNFINISHED);
    assertThat(only(findings, "Resource Manager at").verdict()).isEqualTo(Verdict.UNFINISHED);
    assertThat(permissions(findings)).extracting(Finding::verdict).containsOnly(Verdict.UNFINISHED);
    assertThat(findings).noneMatch(each -> each.verdict().isWrong());
  }

  @Test
  @DisplayName("tells what is wrong where nothing answers and the time is long enough")
  void silentForLong() {
    world.fates = kind -> EffectFate.requestLost();
    List<Finding> findings = world.checkup(CheckupWorld.nodes());
    assertThat(only(findings, "client secret").verdict()).isEqualTo(Verdict.FAILED);
    assertThat(only(findings, "Resource Manager at").verdict()).isEqualTo(Verdict.FAILED);
    assertThat(permissions(findings))
        .extracting(Finding::verdict)
        .containsOnly(Verdict.UNDECIDABLE);
    assertThat(world.took).isLessThan(Duration.ofSeconds(40));
  }
}
