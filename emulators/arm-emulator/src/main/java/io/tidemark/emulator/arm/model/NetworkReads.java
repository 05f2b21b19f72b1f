package io.tidemark.emulator.arm.model;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.network.ArmNic;
import io.tidemark.emulator.arm.network.ArmSubnet;
import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.ArmRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/** The reads of virtual networks and subnets. Not thread-safe. */
record NetworkReads(World world, Reads reads) {
  ArmReply networks(ArmRequest request, ArmId path) {
    return reads.page(
        request,
        world.networks.keySet().stream().filter(id -> id.isWithin(path.scopeOfList())),
        id -> document(id, subnetsOf(id).stream().map(ArmSubnet::document).toList()));
  }

  ArmReply network(ArmRequest request, ArmId path) {
    reads.found(world.networks, path);
    boolean expanded = request.expand().contains("subnets/ipconfigurations");
    List<Document> subnets =
        subnetsOf(path).stream().map(each -> shown(each, expanded, request)).toList();
    return ArmReply.of(200, document(path, subnets)).with("ETag", etag(path));
  }

  private Document document(ArmId id, List<Document> subnets) {
    List<String> prefixes =
        subnetsOf(id).stream()
            .flatMap(each -> each.prefixes().stream())
            .map(String::valueOf)
            .toList();
    return Document.of("name", id.name())
        .with("id", id.text())
        .with("etag", etag(id))
        .with("type", "Microsoft.Network/virtualNetworks")
        .with("location", reads.found(world.networks, id))
        .with(
            "properties",
            Document.of("addressSpace", Document.of("addressPrefixes", prefixes))
                .with("subnets", subnets)
                .with("provisioningState", "Succeeded"));
  }

  /** Always the same: requests change no network. */
  private static String etag(ArmId id) {
    return "W/\"" + UUID.nameUUIDFromBytes(id.text().getBytes(StandardCharsets.UTF_8)) + "\"";
  }

  private List<ArmSubnet> subnetsOf(ArmId network) {
    return world.subnets.values().stream()
        .filter(each -> each.id().isWithin(network.text()))
        .toList();
  }

  ArmReply subnets(ArmRequest request, ArmId path) {
    reads.found(world.networks, path.owner());
    return reads.page(request, subnetsOf(path.owner()).stream(), ArmSubnet::document);
  }

  ArmReply subnet(ArmRequest request, ArmId path) {
    reads.found(world.networks, path.parent());
    ArmSubnet subnet = reads.found(world.subnets, path);
    boolean expanded = request.expand().contains("ipconfigurations");
    return ArmReply.of(200, () -> shown(subnet, expanded, request)).with("ETag", subnet.etag());
  }

  /** A subnet, and with it the configurations that it refers to. */
  private Document shown(ArmSubnet subnet, boolean expanded, ArmRequest request) {
    return expanded
        ? subnet.document().withEach("ipConfigurations", each -> configuration(each, request))
        : subnet.document();
  }

  private Document configuration(Document reference, ArmRequest request) {
    ArmId id = ArmId.of(reference.text("id").orElseThrow());
    ArmNic nic = reads.found(world.nics, id.parent());
    return reads
        .shown(nic, nic.state(), request)
        .object("properties")
        .objects("ipConfigurations")
        .stream()
        .filter(each -> each.text("name").filter(id.name()::equalsIgnoreCase).isPresent())
        .findFirst()
        .orElse(reference);
  }

  ArmReply usages(ArmRequest request, ArmId path) {
    reads.found(world.networks, path.owner());
    return reads.page(request, subnetsOf(path.owner()).stream(), ArmSubnet::usage);
  }
}
