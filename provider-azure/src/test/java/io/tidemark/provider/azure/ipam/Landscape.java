package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.ArmEmulator;
import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.document.DocumentJson;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.ArmRequest;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.azure.network.ArmSamples;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Resources beside those of the usual scenario; names are enough, ids follow from them. */
record Landscape(ArmEmulator azure) {
  Landscape(AzureWorld world) {
    this(world.azure);
  }

  static final String NETWORK = ArmSamples.NETWORK.text();
  private static final String LOCATION = "westeurope";

  static String subnet(String name) {
    return NETWORK + "/subnets/" + name;
  }

  static String machine(String name) {
    return AzureWorld.NODES + "/Microsoft.Compute/virtualMachines/" + name;
  }

  static String set(String name) {
    return AzureWorld.NODES + "/Microsoft.Compute/virtualMachineScaleSets/" + name;
  }

  static String nic(String name) {
    return AzureWorld.NODES + "/Microsoft.Network/networkInterfaces/" + name;
  }

  /** A subnet of the usual network. */
  void addSubnet(String name, String... prefixes) {
    addSubnet(name, 0, false, prefixes);
  }

  /**
   * The same.
   *
   * @param occupied addresses that others have
   * @param busy whether Azure leaves the list of its configurations out
   */
  void addSubnet(String name, int occupied, boolean busy, String... prefixes) {
    List<Cidr> blocks = Stream.of(prefixes).map(Cidr::parse).toList();
    azure.change(owner -> owner.addSubnet(subnet(name), blocks, busy, occupied));
  }

  /** A virtual machine with one interface, which is called as it is; returns its id. */
  String addMachine(String name, String subnet) {
    azure.change(owner -> owner.addMachine(machine(name), LOCATION, Optional.empty()));
    addInterface(name + "-eth0", machine(name), configuration("primary", subnet));
    return machine(name);
  }

  void addInterface(String name, String machine, Document... configurations) {
    azure.change(
        owner -> owner.addInterface(nic(name), machine, List.of(configurations), Document.EMPTY));
  }

  /** A Uniform set whose instances have interfaces of these names in one subnet. */
  void addSet(String name, String subnet, String... interfaces) {
    List<Document> models =
        Stream.of(interfaces)
            .map(
                each ->
                    ArmSamples.model(
                        each,
                        each.equals(interfaces[0]),
                        List.of(configuration("primary", subnet))))
            .toList();
    azure.change(owner -> owner.addScaleSet(set(name), LOCATION, true, models));
  }

  /** An instance of a Uniform set; returns its id. */
  String addInstance(String set, int number) {
    azure.change(owner -> owner.addInstance(set(set), number));
    return set(set) + "/virtualMachines/" + number;
  }

  /** A configuration in this subnet; the one called primary is. */
  static Document configuration(String name, String subnet) {
    return ArmSamples.configuration(name, name.equals("primary"), subnet(subnet));
  }

  /** The same with more properties. */
  static Document configuration(String name, String subnet, Document more) {
    Document plain = configuration(name, subnet);
    return plain.with("properties", plain.object("properties").and(more));
  }

  // ---- what others ask of Azure

  /** The resource as others read it. */
  Document get(String id) {
    return DocumentJson.read(send("GET", id, Optional.empty()).body()).orElseThrow();
  }

  /** Others write a resource, whatever its etag is. */
  void put(String id, Document body) {
    ArmReply reply = send("PUT", id, Optional.of(body));
    assertThat(reply.status()).as(reply.body()).isBetween(200, 299);
  }

  private ArmReply send(String method, String id, Optional<Document> body) {
    String version = id.contains("Microsoft.Compute") ? "2025-04-01" : "2025-03-01";
    return azure
        .handler()
        .handle(
            new ArmRequest(
                method,
                "https://management.azure.com",
                id,
                Map.of("api-version", version),
                Optional.of("Bearer static-other"),
                Optional.empty(),
                body));
  }
}
