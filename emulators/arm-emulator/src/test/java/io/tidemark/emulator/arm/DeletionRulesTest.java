package io.tidemark.emulator.arm;

import static io.tidemark.emulator.arm.Cloud.GROUP;
import static io.tidemark.emulator.arm.Cloud.NETWORK_API;
import static io.tidemark.emulator.arm.Cloud.NIC;
import static io.tidemark.emulator.arm.Cloud.SUBNET;
import static io.tidemark.emulator.arm.Cloud.answered;
import static io.tidemark.emulator.arm.Cloud.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.gate.Access;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.model.ModelOptions.Announcement;
import io.tidemark.emulator.arm.model.ModelOptions.Busy;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.ip.Cidr;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Deletions and tags of interfaces and public addresses")
class DeletionRulesTest {
  private static final Duration LASTS = Duration.ofSeconds(20);
  private static final String FREE = NIC + "-free";
  private static final String PREFIX =
      GROUP + "/providers/Microsoft.Network/publicIPPrefixes/egress";
  private static final String ADDRESS =
      GROUP + "/providers/Microsoft.Network/publicIPAddresses/one";

  private final Cloud cloud = cloud(builder -> builder);

  private static Cloud cloud(UnaryOperator<ModelOptions.Builder> how) {
    Cloud made =
        new Cloud(how.apply(ModelOptions.builder(1).operation(DelayRange.fixed(LASTS))).build());
    made.owner()
        .addPublicPrefix(PREFIX, "westeurope", Cidr.parse("203.0.113.0/31"), Document.EMPTY, 0);
    Document nic =
        Document.of("location", "westeurope")
            .withProperty(
                "ipConfigurations", List.of(Cloud.configuration("primary", SUBNET, true)));
    assertThat(made.put(FREE, NETWORK_API, Optional.empty(), nic).status()).isEqualTo(201);
    Document address = Cloud.publicAddress(PREFIX).with("tags", Document.of("a", "1"));
    made.put(ADDRESS, NETWORK_API, Optional.empty(), address);
    return made.pass(LASTS);
  }

  private static ArmReply delete(Cloud cloud, String path) {
    return cloud.send("DELETE", path + "?api-version=" + NETWORK_API);
  }

  private ArmReply patch(String path, Document body) {
    return cloud.send(
        "PATCH", path + "?api-version=" + NETWORK_API, Optional.empty(), Optional.of(body));
  }

  private static int used(Cloud cloud) {
    return answered(cloud.get(Cloud.NET + "/usages", NETWORK_API), 200)
        .objects("value")
        .get(0)
        .number("currentValue")
        .orElseThrow();
  }

  private static String state(Cloud cloud, String path) {
    return answered(cloud.get(path, NETWORK_API), 200)
        .object("properties")
        .text("provisioningState")
        .orElse("");
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Announcement.class)
  @DisplayName("a deletion is an operation, at whose end the resource and its address are gone")
  void deleted(Announcement announcement) {
    Cloud cloud = cloud(builder -> builder.announcement(announcement));
    int before = used(cloud);
    for (String path : List.of(FREE, ADDRESS)) {
      ArmReply accepted = delete(cloud, path);
      assertThat(accepted.status()).as(accepted.body()).isEqualTo(202);
      assertThat(state(cloud, path)).isEqualTo("Deleting");
      String status = accepted.headers().getOrDefault("Azure-AsyncOperation", "");
      String result = accepted.headers().getOrDefault("Location", "");
      assertThat(status + result).isNotEmpty();
      if (!result.isEmpty()) {
        assertThat(follow(cloud, result).status()).isEqualTo(202);
      }
      cloud.pass(LASTS);
      if (!status.isEmpty()) {
        assertThat(answered(follow(cloud, status), 200).text("status")).contains("Succeeded");
      }
      if (!result.isEmpty()) {
        assertThat(follow(cloud, result).status()).isEqualTo(204);
      }
      assertThat(refusal(cloud.get(path, NETWORK_API))).isEqualTo("404 ResourceNotFound");
      assertThat(delete(cloud, path).status()).as("again").isEqualTo(204);
    }
    assertThat(used(cloud)).isEqualTo(before - 1);
    assertThat(
            answered(cloud.get(PREFIX, NETWORK_API), 200)
                .object("properties")
                .has("publicIPAddresses"))
        .isFalse();
  }

  private static ArmReply follow(Cloud cloud, String url) {
    return cloud.send("GET", url);
  }

  @Test
  @DisplayName("what is used is not deleted: an attached interface, an address of a configuration")
  void inUse() {
    assertThat(refusal(delete(cloud, NIC))).isEqualTo("400 NicInUse");
    Document nic = answered(cloud.get(FREE, NETWORK_API), 200);
    cloud.put(
        FREE,
        NETWORK_API,
        Optional.empty(),
        Cloud.changed(
            nic,
            all ->
                List.of(all.get(0).withProperty("publicIPAddress", Document.reference(ADDRESS)))));
    assertThat(refusal(delete(cloud, ADDRESS))).isEqualTo("400 PublicIPAddressCannotBeDeleted");
    delete(cloud, FREE);
    cloud.pass(LASTS);
    assertThat(state(cloud, ADDRESS)).as("it stays when its interface goes").isEqualTo("Succeeded");
    assertThat(delete(cloud, ADDRESS).status()).isEqualTo(202);
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Busy.class)
  @DisplayName("what is being deleted cannot be written, however a second write is refused else")
  void busy(Busy busy) {
    Cloud cloud = cloud(builder -> builder.busy(busy));
    Document nic = answered(cloud.get(FREE, NETWORK_API), 200);
    delete(cloud, FREE);
    assertThat(cloud.put(FREE, NETWORK_API, Optional.empty(), nic).status()).isIn(409, 429);
    cloud.pass(LASTS);
    assertThat(cloud.get(FREE, NETWORK_API).status()).isEqualTo(404);
  }

  @Test
  @DisplayName("a deletion that fails leaves the resource, and its result is the error")
  void failed() {
    Cloud cloud = cloud(builder -> builder.announcement(Announcement.BOTH));
    cloud.faults(ArmFault.every("Interfaces.Delete", ArmFault.Kind.CANCEL_OPERATION));
    ArmReply accepted = delete(cloud, FREE);
    cloud.pass(LASTS);
    assertThat(
            answered(
                    follow(cloud, accepted.headers().getOrDefault("Azure-AsyncOperation", "")), 200)
                .text("status"))
        .contains("Canceled");
    assertThat(refusal(follow(cloud, accepted.headers().getOrDefault("Location", ""))))
        .isEqualTo("409 OperationCanceled");
    assertThat(state(cloud, FREE)).isEqualTo("Failed");
  }

  @Test
  @DisplayName("a deletion needs its action, no lock, and the etag that it names")
  void refused() {
    assertThat(
            refusal(
                cloud.send(
                    "DELETE",
                    FREE + "?api-version=" + NETWORK_API,
                    Optional.of("W/\"old\""),
                    Optional.empty())))
        .startsWith("412 PreconditionFailed");
    cloud.model().access().setLocks(List.of(FREE));
    assertThat(refusal(delete(cloud, FREE))).isEqualTo("409 ScopeLocked");
    cloud.roles(
        new Access.Role(
            "*", "/", List.of("*"), List.of("Microsoft.Network/networkInterfaces/delete")));
    assertThat(refusal(delete(cloud, FREE))).isEqualTo("403 AuthorizationFailed");
    assertThat(state(cloud, FREE)).isEqualTo("Succeeded");
  }

  @Test
  @DisplayName("tags take the place of all that there were, and change nothing else")
  void tags() {
    for (String path : List.of(NIC, ADDRESS)) {
      Document before = answered(cloud.get(path, NETWORK_API), 200);
      Document tags = Document.of("b", "2");
      Document changed = answered(patch(path, Document.of("tags", tags)), 200);
      assertThat(changed).isEqualTo(answered(cloud.get(path, NETWORK_API), 200));
      assertThat(changed.object("tags")).isEqualTo(tags);
      assertThat(changed.text("etag")).isNotEqualTo(before.text("etag"));
      assertThat(plain(changed)).isEqualTo(plain(before));
      assertThat(patch(path, Document.of("tags", tags)).headers())
          .as("the same again")
          .containsEntry("ETag", changed.text("etag").orElseThrow());
    }
    assertThat(refusal(patch(NIC + "-none", Document.of("tags", Document.EMPTY))))
        .isEqualTo("404 ResourceNotFound");
    assertThat(refusal(patch(NIC, Document.of("properties", Document.EMPTY))))
        .isEqualTo("400 OnlyTagsSupportedForPatch");
    assertThat(refusal(patch(NIC, Document.of("tags", Document.of("n", 1)))))
        .isEqualTo("400 InvalidRequestContent");
  }

  /** Without tags and etags. */
  private static String plain(Document resource) {
    return resource.without("tags", "etag").toString().replaceAll("W/\"[0-9a-f-]+\"", "");
  }
}
