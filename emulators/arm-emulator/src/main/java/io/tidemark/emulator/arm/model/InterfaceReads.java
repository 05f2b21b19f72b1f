package io.tidemark.emulator.arm.model;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.network.ArmNic;
import io.tidemark.emulator.arm.network.ArmPublicAddress;
import io.tidemark.emulator.arm.network.ArmSubnet;
import io.tidemark.emulator.arm.network.BlockForm;
import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.ArmRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The reads of network interfaces and their IP configurations. Not thread-safe. */
final class InterfaceReads {
  private final World world;
  private final Reads reads;
  private final BlockForm blockForm;

  InterfaceReads(World world, Reads reads, BlockForm blockForm) {
    this.world = world;
    this.reads = reads;
    this.blockForm = blockForm;
  }

  /**
   * The interfaces of a subscription or of a group; those of Uniform instances belong to the
   * compute provider.
   */
  ArmReply interfaces(ArmRequest request, ArmId path) {
    String scope = path.scopeOfList();
    return reads.page(
        request,
        world.nics.values().stream().filter(each -> !each.isUniform() && each.id().isWithin(scope)),
        each -> shown(each, each.state(), request));
  }

  ArmReply networkInterface(ArmRequest request, ArmId path) {
    ArmNic nic = reads.found(world.nics, path);
    return ArmReply.of(200, () -> expanded(shown(nic, nic.state(), request), request.expand()))
        .with("ETag", nic.state().etag());
  }

  ArmReply configurations(ArmRequest request, ArmId path) {
    return reads.page(request, configurationsOf(request, path.owner()).stream(), each -> each);
  }

  ArmReply configuration(ArmRequest request, ArmId path) {
    return ArmReply.of(
        200,
        configurationsOf(request, path.parent()).stream()
            .filter(each -> each.text("name").filter(path.name()::equalsIgnoreCase).isPresent())
            .findFirst()
            .orElseThrow(() -> reads.missing(path, "NotFound")));
  }

  private List<Document> configurationsOf(ArmRequest request, ArmId id) {
    ArmNic nic = reads.found(world.nics, id);
    return shown(nic, nic.state(), request).object("properties").objects("ipConfigurations");
  }

  /** A set without instances is answered as one that does not exist. */
  ArmReply interfacesOfSet(ArmRequest request, ArmId path, Instant now) {
    ArmId set = path.owner();
    boolean populated =
        world.machines.keySet().stream().anyMatch(each -> each.isWithin(set.text()));
    if (!world.sets.containsKey(set) || !populated) {
      throw reads.missing(set, "NotFound");
    }
    return listed(
        request,
        world.nics.values().stream()
            .filter(each -> each.isUniform() && each.id().isWithin(set.text()))
            .toList(),
        now);
  }

  ArmReply interfacesOfInstance(ArmRequest request, ArmId path, Instant now) {
    List<ArmId> attached = reads.found(world.machines, path.owner()).nics;
    return listed(request, attached.stream().map(id -> reads.found(world.nics, id)).toList(), now);
  }

  private ArmReply listed(ArmRequest request, List<ArmNic> all, Instant now) {
    List<Supplier<Document>> shown = new ArrayList<>();
    for (ArmNic each : all) {
      world.listed(each, now).ifPresent(state -> shown.add(() -> shown(each, state, request)));
    }
    return reads.page(request, shown.stream(), Supplier::get);
  }

  private Document shown(ArmNic nic, ArmNic.State state, ArmRequest request) {
    return nic.document(state, blockForm, InterfaceWrites.knowsBlocks(request.apiVersion()));
  }

  /** An interface with the resources that its configurations refer to, as far as asked for. */
  private Document expanded(Document nic, Set<String> expand) {
    if (expand.isEmpty()) {
      return nic;
    }
    Document properties = nic.object("properties");
    List<Document> whole =
        properties.objects("ipConfigurations").stream()
            .map(each -> each.with("properties", whole(each.object("properties"), expand)))
            .toList();
    return nic.with("properties", properties.with("ipConfigurations", whole));
  }

  private Document whole(Document configuration, Set<String> expand) {
    Document shown = configuration;
    if (expand.contains("ipconfigurations/publicipaddress")) {
      shown =
          referred(shown, "publicIPAddress", world.publics.addresses())
              .map(ArmPublicAddress::document)
              .map(each -> configuration.with("publicIPAddress", each))
              .orElse(shown);
    }
    if (expand.contains("ipconfigurations/subnet")) {
      Document so = shown;
      shown =
          referred(so, "subnet", world.subnets)
              .map(ArmSubnet::document)
              .map(each -> so.with("subnet", each))
              .orElse(so);
    }
    return shown;
  }

  private static <T> Optional<T> referred(Document properties, String key, Map<ArmId, T> all) {
    return properties
        .object(key)
        .text("id")
        .flatMap(ArmId::parse)
        .flatMap(id -> Optional.ofNullable(all.get(id)));
  }
}
