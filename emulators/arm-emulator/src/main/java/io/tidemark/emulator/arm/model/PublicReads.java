package io.tidemark.emulator.arm.model;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.network.ArmPublicAddress;
import io.tidemark.emulator.arm.network.ArmPublicPrefix;
import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.ArmRequest;
import java.util.function.Predicate;

/** The reads of public IP prefixes and public IP addresses. Not thread-safe. */
record PublicReads(World world, Reads reads) {
  ArmReply prefixes(ArmRequest request, ArmId path) {
    String scope = path.scopeOfList();
    return reads.page(
        request,
        world.publics.prefixes().values().stream().filter(each -> each.id().isWithin(scope)),
        ArmPublicPrefix::document);
  }

  ArmReply prefix(ArmRequest request, ArmId path) {
    ArmPublicPrefix prefix = reads.found(world.publics.prefixes(), path);
    Document shown = prefix.document();
    if (request.expand().contains("publicipaddresses")) {
      shown =
          shown.withEach(
              "publicIPAddresses",
              each ->
                  Reads.referred(each, world.publics.addresses())
                      .map(ArmPublicAddress::document)
                      .orElse(each));
    }
    return ArmReply.of(200, shown).with("ETag", prefix.etag());
  }

  /** Those of a subscription or of a group; those of Uniform instances belong to the instances. */
  ArmReply addresses(ArmRequest request, ArmId path) {
    String scope = path.scopeOfList();
    return listed(
        request, each -> each.id().isOf("Microsoft.Network") && each.id().isWithin(scope));
  }

  ArmReply address(ArmRequest request, ArmId path) {
    ArmPublicAddress address = reads.found(world.publics.addresses(), path);
    Document shown = address.document();
    if (request.expand().contains("ipconfiguration") && address.configuration().isPresent()) {
      ArmId at = address.configuration().get();
      Document whole =
          reads.found(world.nics, at.parent()).state().configurations().stream()
              .filter(each -> each.name().equalsIgnoreCase(at.name()))
              .map(each -> each.wish().document().with("id", at.text()))
              .findFirst()
              .orElseGet(() -> Document.reference(at.text()));
      shown = shown.withProperty("ipConfiguration", whole);
    }
    return ArmReply.of(200, shown).with("ETag", address.etag());
  }

  /** The public addresses of a configuration of a Uniform instance's interface. */
  ArmReply ofConfiguration(ArmRequest request, ArmId path) {
    ArmId configuration = path.owner();
    boolean known =
        reads.found(world.nics, configuration.parent()).state().configurations().stream()
            .anyMatch(each -> each.name().equalsIgnoreCase(configuration.name()));
    if (!known) {
      throw reads.missing(configuration, "NotFound");
    }
    return listed(request, each -> each.id().isWithin(configuration.text()));
  }

  ArmReply ofSet(ArmRequest request, ArmId path) {
    ArmId set = reads.found(world.sets, path.owner()).id();
    return listed(request, each -> each.id().isWithin(set.text()));
  }

  private ArmReply listed(ArmRequest request, Predicate<ArmPublicAddress> which) {
    return reads.page(
        request,
        world.publics.addresses().values().stream().filter(which),
        ArmPublicAddress::document);
  }
}
