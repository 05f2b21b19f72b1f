package io.tidemark.emulator.arm;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.document.DocumentJson;
import io.tidemark.emulator.arm.gate.Access.Role;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ArmModel;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.model.Resources;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.ArmRequest;
import io.tidemark.ip.Cidr;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A model with a clock of its own, two instances of a Uniform set, one virtual machine, and the
 * requests that the rules are tried with.
 */
final class Cloud {
  static final String ORIGIN = "http://127.0.0.1:1";
  static final String GROUP = "/subscriptions/s1/resourceGroups/g1";
  static final String NET = GROUP + "/providers/Microsoft.Network/virtualNetworks/net";
  static final String SUBNET = NET + "/subnets/nodes";
  static final String SET = GROUP + "/providers/Microsoft.Compute/virtualMachineScaleSets/set";
  static final String INSTANCE_0 = SET + "/virtualMachines/0";
  static final String VM = GROUP + "/providers/Microsoft.Compute/virtualMachines/vm";
  static final String NIC = GROUP + "/providers/Microsoft.Network/networkInterfaces/vm-eth0";

  static final String NETWORK_API = "2025-03-01";
  static final String COMPUTE_API = "2025-04-01";
  static final String LIST_API = "2018-10-01";

  private final ArmModel model;
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private String principal = "p1";

  Cloud(ModelOptions options) {
    this(options, "10.0.0.0/24");
  }

  /** A cloud whose subnet has these blocks. */
  Cloud(ModelOptions options, String... prefixes) {
    this.model = new ArmModel(options);
    Resources owner = owner();
    owner.addNetwork(NET, "westeurope");
    owner.addSubnet(SUBNET, List.of(prefixes).stream().map(Cidr::parse).toList(), false, 0);
    owner.addScaleSet(SET, "westeurope", true, List.of(interfaceModel("eth0", SUBNET)));
    owner.addInstance(SET, 0);
    owner.addInstance(SET, 1);
    owner.addMachine(VM, "westeurope", Optional.empty());
    owner.addInterface(NIC, VM, List.of(configuration("primary", SUBNET, true)), Document.EMPTY);
  }

  Cloud() {
    this(ModelOptions.of(1));
  }

  static Document interfaceModel(String name, String subnet) {
    return Document.of("name", name)
        .withProperty("primary", true)
        .withProperty("ipConfigurations", List.of(configuration("primary", subnet, true)));
  }

  static Document configuration(String name, String subnet) {
    return Document.of("name", name).withProperty("subnet", Document.reference(subnet));
  }

  static Document configuration(String name, String subnet, boolean primary) {
    return configuration(name, subnet).withProperty("primary", primary);
  }

  /** The body of a public IP address of this prefix. */
  static Document publicAddress(String prefix) {
    return Document.of("location", "westeurope")
        .with("sku", Document.of("name", "Standard"))
        .withProperty("publicIPAllocationMethod", "Static")
        .withProperty("publicIPPrefix", Document.reference(prefix));
  }

  void roles(Role... roles) {
    model.access().setRoles(List.of(roles));
  }

  void faults(ArmFault... rules) {
    model.faults().set(List.of(rules));
  }

  ArmModel model() {
    return model;
  }

  Resources owner() {
    return model.resources(now);
  }

  Instant now() {
    return now;
  }

  Cloud pass(Duration time) {
    now = now.plus(time);
    return this;
  }

  Cloud as(String other) {
    principal = other;
    return this;
  }

  ArmReply send(String method, String url, Optional<String> ifMatch, Optional<Document> body) {
    String path = url.startsWith(ORIGIN) ? url.substring(ORIGIN.length()) : url;
    int question = path.indexOf('?');
    Map<String, String> query =
        question < 0 ? Map.of() : ArmRequest.parameters(path.substring(question + 1));
    ArmReply reply =
        model.apply(
            new ArmRequest(
                method,
                ORIGIN,
                question < 0 ? path : path.substring(0, question),
                query,
                Optional.of("Bearer static-" + principal),
                ifMatch,
                body),
            now);
    assertThat(reply.body()).isNotNull();
    return reply;
  }

  ArmReply send(String method, String url) {
    return send(method, url, Optional.empty(), Optional.empty());
  }

  ArmReply get(String path, String version) {
    return send("GET", path + (path.contains("?") ? "&" : "?") + "api-version=" + version);
  }

  ArmReply put(String path, String version, Optional<String> ifMatch, Document body) {
    return send("PUT", path + "?api-version=" + version, ifMatch, Optional.of(body));
  }

  /** The body of a response that must be of this status. */
  static Document answered(ArmReply reply, int status) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(status);
    return DocumentJson.read(reply.body()).orElseThrow();
  }

  static Document error(ArmReply reply, int status) {
    return answered(reply, status).object("error");
  }

  /** Status and code of a refusal, and the inner code if there is one. */
  static String refusal(ArmReply reply) {
    Document error = DocumentJson.read(reply.body()).orElseThrow().object("error");
    String inner =
        error.objects("details").stream()
            .map(each -> " " + each.text("code").orElse(""))
            .findFirst()
            .orElse("");
    return reply.status() + " " + error.text("code").orElse("") + inner;
  }

  Document nic() {
    return answered(get(NIC, NETWORK_API), 200);
  }

  Document instance() {
    return answered(get(INSTANCE_0, COMPUTE_API), 200);
  }

  static List<Document> configurations(Document nic) {
    return nic.object("properties").objects("ipConfigurations");
  }

  /** The interface of the virtual machine with other configurations. */
  static Document changed(Document nic, UnaryOperator<List<Document>> how) {
    return nic.withProperty("ipConfigurations", how.apply(new ArrayList<>(configurations(nic))));
  }

  /** The body that changes the configurations of the instance's only interface. */
  static Document changedInstance(Document instance, UnaryOperator<List<Document>> how) {
    Document model =
        instance
            .object("properties")
            .object("networkProfileConfiguration")
            .objects("networkInterfaceConfigurations")
            .get(0);
    return Document.of("location", "westeurope")
        .withProperty(
            "networkProfileConfiguration",
            Document.of("networkInterfaceConfigurations", List.of(changed(model, how))));
  }

  /** These and {@code count} new ones. */
  static UnaryOperator<List<Document>> plus(int count) {
    return plus("pod-", count);
  }

  static UnaryOperator<List<Document>> plus(String prefix, int count) {
    return all -> {
      List<Document> more = new ArrayList<>(all);
      for (int i = 0; i < count; i++) {
        more.add(configuration(prefix + (all.size() + i), SUBNET));
      }
      return more;
    };
  }

  static UnaryOperator<List<Document>> plusBlock(String name) {
    return all -> {
      List<Document> more = new ArrayList<>(all);
      more.add(configuration(name, SUBNET).withProperty("privateIPAddressPrefixLength", 28));
      return more;
    };
  }

  ArmReply putNic(UnaryOperator<List<Document>> how) {
    Document nic = nic();
    return put(NIC, NETWORK_API, nic.text("etag"), changed(nic, how));
  }

  ArmReply putInstance(UnaryOperator<List<Document>> how) {
    Document instance = instance();
    return put(INSTANCE_0, COMPUTE_API, instance.text("etag"), changedInstance(instance, how));
  }

  /** The interface of the instance as the list of that instance shows it. */
  Document listed() {
    return answered(get(INSTANCE_0 + "/networkInterfaces", LIST_API), 200).objects("value").get(0);
  }

  static List<String> addresses(Document nic) {
    return configurations(nic).stream()
        .map(each -> each.object("properties").text("privateIPAddress").orElse(""))
        .toList();
  }
}
