package io.tidemark.emulator.arm;

import static io.tidemark.emulator.arm.Cloud.addresses;
import static io.tidemark.emulator.arm.Cloud.answered;
import static io.tidemark.emulator.arm.Cloud.configurations;
import static io.tidemark.emulator.arm.Cloud.plus;
import static io.tidemark.emulator.arm.Cloud.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.model.ModelOptions.Announcement;
import io.tidemark.emulator.arm.model.ModelOptions.Busy;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.kit.pace.DelayRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("13.8 (c), (d) Operations that go on")
class OperationRulesTest {
  private static final Duration LASTS = Duration.ofSeconds(20);

  private static ModelOptions.Builder slow() {
    return ModelOptions.builder(1).operation(DelayRange.fixed(LASTS));
  }

  private static String state(Document resource) {
    return resource.object("properties").text("provisioningState").orElse("");
  }

  private static ArmReply poll(Cloud cloud, ArmReply accepted, String header) {
    return cloud.send("GET", accepted.headers().getOrDefault(header, ""));
  }

  private static Document poll(Cloud cloud, ArmReply accepted) {
    return answered(poll(cloud, accepted, "Azure-AsyncOperation"), 200);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"interface", "instance"})
  @DisplayName("(c) a write is accepted as Updating and is done when its operation says so")
  void inTime(String what) {
    Cloud cloud = new Cloud(slow().build());
    ArmReply accepted = put(cloud, what);
    assertThat(state(answered(accepted, 200))).isEqualTo("Updating");
    assertThat(poll(cloud, accepted).text("status")).contains("InProgress");
    cloud.pass(LASTS);
    assertThat(poll(cloud, accepted).text("status")).contains("Succeeded");
    assertThat(state(read(cloud, what))).isEqualTo("Succeeded");
    assertThat(addresses(what.equals("interface") ? cloud.nic() : cloud.listed())).hasSize(2);
  }

  private static ArmReply put(Cloud cloud, String what) {
    return what.equals("interface") ? cloud.putNic(plus(1)) : cloud.putInstance(plus(1));
  }

  private static Document read(Cloud cloud, String what) {
    return what.equals("interface") ? cloud.nic() : cloud.instance();
  }

  @Test
  @DisplayName("(c) an instance's interfaces change at the end of the operation, its model at once")
  void modelFirst() {
    Cloud cloud = new Cloud(slow().build());
    cloud.putInstance(plus(2));
    assertThat(modelled(cloud)).isEqualTo(3);
    assertThat(configurations(cloud.listed())).hasSize(1);
    cloud.pass(LASTS);
    assertThat(configurations(cloud.listed())).hasSize(3);
  }

  private static int modelled(Cloud cloud) {
    return configurations(
            cloud
                .instance()
                .object("properties")
                .object("networkProfileConfiguration")
                .objects("networkInterfaceConfigurations")
                .get(0))
        .size();
  }

  @Test
  @DisplayName("(c) an operation can end at a given poll")
  void atPoll() {
    Cloud cloud = new Cloud(ModelOptions.builder(1).operationPolls(3).build());
    ArmReply accepted = cloud.putNic(plus(1));
    assertThat(poll(cloud, accepted).text("status")).contains("InProgress");
    assertThat(poll(cloud, accepted).text("status")).contains("InProgress");
    assertThat(poll(cloud, accepted).text("status")).contains("Succeeded");
  }

  @Test
  @DisplayName("(c) a Location answers 202 until the end, then the resource")
  void location() {
    Cloud cloud = new Cloud(slow().announcement(Announcement.LOCATION).build());
    ArmReply accepted = cloud.putInstance(plus(1));
    assertThat(accepted.status()).isEqualTo(202);
    assertThat(accepted.headers()).doesNotContainKey("Azure-AsyncOperation");
    assertThat(poll(cloud, accepted, "Location").status()).isEqualTo(202);
    cloud.pass(LASTS);
    assertThat(answered(poll(cloud, accepted, "Location"), 200).text("instanceId")).contains("0");
    ArmReply network = cloud.putNic(plus(1));
    assertThat(network.status()).as("the network provider has no 202").isEqualTo(200);
    assertThat(poll(cloud, network, "Location").status()).isEqualTo(202);
  }

  @ParameterizedTest(name = "{0}: {1}, {2}")
  @CsvSource({
    "BOTH,true,true",
    "ASYNC_OPERATION,true,false",
    "LOCATION,false,true",
    "NONE,false,false"
  })
  @DisplayName("(c) the headers that announce an operation can be chosen, with Retry-After or not")
  void headers(Announcement how, boolean async, boolean location) {
    Cloud cloud = new Cloud(slow().announcement(how).retryAfter(Duration.ofSeconds(7)).build());
    ArmReply accepted = cloud.putNic(plus(1));
    assertThat(accepted.headers().containsKey("Azure-AsyncOperation")).isEqualTo(async);
    assertThat(accepted.headers().containsKey("Location")).isEqualTo(location);
    assertThat(accepted.headers()).containsEntry("Retry-After", "7");
    assertThat(new Cloud(slow().build()).putNic(plus(1)).headers())
        .doesNotContainKey("Retry-After");
  }

  @Test
  @DisplayName("(c) the address of an operation's state is signed, and ends after a while")
  void signedAndExpired() {
    Cloud cloud = new Cloud(slow().operationExpiry(Duration.ofMinutes(1)).build());
    ArmReply accepted = cloud.putNic(plus(1));
    String url = accepted.headers().getOrDefault("Azure-AsyncOperation", "");
    assertThat(refusal(cloud.send("GET", url.replaceAll("&s=[^&]*", "&s=other"))))
        .isEqualTo("403 AuthorizationFailed");
    cloud.pass(LASTS.plus(Duration.ofSeconds(59)));
    assertThat(poll(cloud, accepted).text("status")).contains("Succeeded");
    cloud.pass(Duration.ofSeconds(1));
    assertThat(poll(cloud, accepted, "Azure-AsyncOperation").status()).isEqualTo(404);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({"FAIL_OPERATION,Failed", "CANCEL_OPERATION,Canceled"})
  @DisplayName("(c) an operation can fail or be canceled at its end, with a nested error")
  void failsAtTheEnd(ArmFault.Kind kind, String status) {
    Cloud cloud = new Cloud(slow().build());
    cloud.faults(
        ArmFault.every("Interfaces.CreateOrUpdate", kind)
            .withError(ArmError.of(409, "Outer", "x").because("Inner", "y")));
    ArmReply accepted = cloud.putNic(plus(1));
    cloud.pass(LASTS);
    Document ended = poll(cloud, accepted);
    assertThat(ended.text("status")).contains(status);
    assertThat(state(cloud.nic())).isEqualTo("Failed");
    if (kind == ArmFault.Kind.FAIL_OPERATION) {
      assertThat(ended.object("error").objects("details").get(0).text("code")).contains("Inner");
    }
  }

  @Test
  @DisplayName("a failed write to an instance leaves ghosts, which the next write drops")
  void ghosts() {
    Cloud cloud = new Cloud(slow().build(), "10.0.0.0/28");
    ArmReply accepted = cloud.putInstance(plus(12));
    cloud.pass(LASTS);
    Document ended = poll(cloud, accepted);
    assertThat(ended.text("status")).contains("Failed");
    assertThat(ended.object("error").objects("details").get(0).text("code"))
        .contains("SubnetIsFull");
    assertThat(modelled(cloud)).isEqualTo(13);
    assertThat(configurations(cloud.listed())).hasSize(1);
    assertThat(state(cloud.instance())).isEqualTo("Failed");
    cloud.putInstance(
        all -> {
          List<Document> fewer = new ArrayList<>(all.subList(0, 1));
          fewer.add(Cloud.configuration("good", Cloud.SUBNET));
          return fewer;
        });
    cloud.pass(LASTS);
    assertThat(modelled(cloud)).isEqualTo(2);
    assertThat(configurations(cloud.listed())).hasSize(2);
    assertThat(state(cloud.instance())).isEqualTo("Succeeded");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "ANOTHER_OPERATION_429,429 RetryableErrorDueToAnotherOperation",
    "NOT_PROVISIONED_429,429 RetryableError ReferencedResourceNotProvisioned",
    "IN_PROGRESS_409,409 AnotherOperationInProgress",
    "CONCURRENT_WRITE_409,409 ConflictingConcurrentWriteNotAllowed"
  })
  @DisplayName("(d) a second write while one goes on is refused in one of four ways")
  void busy(Busy busy, String refusal) {
    Cloud cloud = new Cloud(slow().busy(busy).build());
    cloud.putNic(plus(1));
    cloud.putInstance(plus(1));
    assertThat(refusal(cloud.putNic(plus(1)))).isEqualTo(refusal);
    assertThat(refusal(cloud.putInstance(plus(1)))).isEqualTo(refusal);
    cloud.pass(LASTS);
    assertThat(cloud.putNic(plus(1)).status()).isEqualTo(200);
    assertThat(cloud.putInstance(plus(1)).status()).isEqualTo(200);
  }

  @Test
  @DisplayName("(d) or it takes the place of the first, which is canceled")
  void preemption() {
    Cloud cloud = new Cloud(slow().busy(Busy.PREEMPT).build());
    ArmReply first = cloud.putInstance(plus("a", 1));
    ArmReply second = cloud.putInstance(plus("b", 1));
    Document ended = poll(cloud, first);
    assertThat(ended.text("status")).contains("Canceled");
    assertThat(ended.object("error").text("code")).contains("OperationPreempted");
    cloud.pass(LASTS);
    assertThat(poll(cloud, second).text("status")).contains("Succeeded");
    assertThat(configurations(cloud.listed())).hasSize(3);
  }

  @Test
  @DisplayName("(d) an operation of Azure's own makes an instance busy")
  void occupied() {
    Cloud cloud = new Cloud(slow().build());
    cloud.owner().occupy(Cloud.INSTANCE_0, Duration.ofMinutes(3));
    assertThat(refusal(cloud.putInstance(plus(1))))
        .isEqualTo("429 RetryableErrorDueToAnotherOperation");
    cloud.pass(Duration.ofMinutes(3));
    assertThat(cloud.putInstance(plus(1)).status()).isEqualTo(200);
  }

  @Test
  @DisplayName("(d) a write that takes the place of Azure's own operation goes on beyond its end")
  void occupiedAndPreempted() {
    Cloud cloud = new Cloud(slow().busy(Busy.PREEMPT).build());
    cloud.owner().occupy(Cloud.INSTANCE_0, LASTS.dividedBy(2));
    ArmReply write = cloud.putInstance(plus(1));
    cloud.pass(LASTS.dividedBy(2));
    assertThat(state(cloud.instance())).isEqualTo("Updating");
    cloud.pass(LASTS);
    assertThat(poll(cloud, write).text("status")).contains("Succeeded");
    assertThat(state(cloud.instance())).isEqualTo("Succeeded");
  }

  @Test
  @DisplayName("(c) an interface that no machine has is written at once")
  void unattached() {
    Cloud cloud = new Cloud(slow().build());
    ArmReply created =
        cloud.put(Cloud.NIC + "-2", Cloud.NETWORK_API, Optional.empty(), cloud.nic());
    assertThat(state(answered(created, 201))).isEqualTo("Succeeded");
    assertThat(created.headers()).doesNotContainKey("Azure-AsyncOperation");
  }

  @Test
  @DisplayName("(d) a write that is refused takes nobody's place")
  void refusedPreemption() {
    Cloud cloud = new Cloud(slow().busy(Busy.PREEMPT).build());
    Document before = cloud.nic();
    ArmReply first = cloud.putNic(plus("a", 1));
    assertThat(
            cloud
                .put(
                    Cloud.NIC,
                    Cloud.NETWORK_API,
                    before.text("etag"),
                    Cloud.changed(before, plus("b", 1)))
                .status())
        .isEqualTo(412);
    assertThat(cloud.putNic(all -> List.of()).status()).isEqualTo(400);
    cloud.pass(LASTS);
    assertThat(poll(cloud, first).text("status")).contains("Succeeded");
    assertThat(state(cloud.nic())).isEqualTo("Succeeded");
  }

  @Test
  @DisplayName("(c) a write to an instance that changes nothing goes on too, and keeps the etag")
  void nothingNew() {
    Cloud cloud = new Cloud(slow().build());
    ArmReply accepted = cloud.putInstance(plus(0));
    assertThat(state(answered(accepted, 200))).isEqualTo("Updating");
    cloud.pass(LASTS);
    assertThat(poll(cloud, accepted).text("status")).contains("Succeeded");
    assertThat(cloud.instance().text("etag")).contains("\"1\"");
  }

  @Test
  @DisplayName(
      "(c) the compute provider tells when an operation began and ended, the network's not")
  void times() {
    Cloud cloud = new Cloud();
    assertThat(poll(cloud, cloud.putNic(plus(1)))).isEqualTo(Document.of("status", "Succeeded"));
    Document compute = poll(cloud, cloud.putInstance(plus(1)));
    assertThat(List.of("startTime", "endTime", "name")).allMatch(compute::has);
  }

  @Test
  @DisplayName("(c) a Retry-After is rounded up to whole seconds")
  void wholeSeconds() {
    Cloud cloud = new Cloud(slow().retryAfter(Duration.ofMillis(1_500)).build());
    assertThat(cloud.putNic(plus(1)).headers()).containsEntry("Retry-After", "2");
    assertThat(cloud.putNic(plus(1)).headers()).containsEntry("Retry-After", "2");
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"interface", "instance"})
  @DisplayName("(k) a machine that is deleted ends what goes on there")
  void deleted(String what) {
    Cloud cloud = new Cloud(slow().build());
    ArmReply accepted = put(cloud, what);
    cloud.owner().delete(what.equals("interface") ? Cloud.VM : Cloud.INSTANCE_0);
    assertThat(poll(cloud, accepted).text("status")).contains("Canceled");
  }
}
