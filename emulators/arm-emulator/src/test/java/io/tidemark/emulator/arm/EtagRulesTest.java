package io.tidemark.emulator.arm;

import static io.tidemark.emulator.arm.Cloud.NETWORK_API;
import static io.tidemark.emulator.arm.Cloud.NIC;
import static io.tidemark.emulator.arm.Cloud.answered;
import static io.tidemark.emulator.arm.Cloud.changed;
import static io.tidemark.emulator.arm.Cloud.plus;
import static io.tidemark.emulator.arm.Cloud.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.ArmRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("13.8 (a) Etags")
class EtagRulesTest {
  private final Cloud cloud = new Cloud();

  @Test
  @DisplayName(
      "are a quoted number at the compute provider and a weak GUID at the network provider")
  void forms() {
    assertThat(cloud.instance().text("etag").orElseThrow()).matches("\"[0-9]+\"");
    assertThat(cloud.nic().text("etag").orElseThrow()).matches("W/\"[0-9a-f-]{36}\"");
  }

  @Test
  @DisplayName("are not shown by versions of the compute API before 2023-09-01")
  void oldVersions() {
    assertThat(answered(cloud.get(Cloud.INSTANCE_0, "2023-07-01"), 200).has("etag")).isFalse();
  }

  @Test
  @DisplayName("change with every change and stay when a write changes nothing")
  void change() {
    String nic = cloud.nic().text("etag").orElseThrow();
    String instance = cloud.instance().text("etag").orElseThrow();
    cloud.putNic(UnaryOperator.identity());
    cloud.putInstance(UnaryOperator.identity());
    assertThat(cloud.nic().text("etag")).contains(nic);
    assertThat(cloud.instance().text("etag")).contains(instance);
    cloud.putNic(plus(1));
    cloud.putInstance(plus(1));
    assertThat(cloud.nic().text("etag").orElseThrow()).isNotEqualTo(nic);
    assertThat(cloud.instance().text("etag").orElseThrow()).isNotEqualTo(instance);
  }

  @Test
  @DisplayName("that are old are refused with 412, and nothing changes")
  void old() {
    Document nic = cloud.nic();
    Document instance = cloud.instance();
    cloud.putNic(plus(1));
    cloud.putInstance(plus(1));
    Document now = cloud.nic();
    assertThat(refusal(cloud.put(NIC, NETWORK_API, nic.text("etag"), changed(nic, plus(3)))))
        .isEqualTo("412 PreconditionFailed PreconditionFailedEtagMismatch");
    assertThat(
            refusal(
                cloud.put(
                    Cloud.INSTANCE_0,
                    Cloud.COMPUTE_API,
                    instance.text("etag"),
                    Cloud.changedInstance(instance, plus(3)))))
        .isEqualTo("412 PreconditionFailed");
    assertThat(cloud.nic()).isEqualTo(now);
  }

  @Test
  @DisplayName("of an interface that is gone are refused; without one it would be created")
  void gone() {
    Document nic = cloud.nic();
    String other = NIC + "-other";
    assertThat(refusal(cloud.put(other, NETWORK_API, nic.text("etag"), nic)))
        .startsWith("412 PreconditionFailed");
    assertThat(cloud.get(other, NETWORK_API).status()).isEqualTo(404);
    assertThat(cloud.put(other, NETWORK_API, Optional.empty(), nic).status()).isEqualTo(201);
  }

  private ArmReply unlessExists(String method, String path, String value) {
    Document nic = cloud.nic();
    return cloud
        .model()
        .apply(
            new ArmRequest(
                method,
                Cloud.ORIGIN,
                path,
                Map.of("api-version", NETWORK_API),
                Optional.of("Bearer static-p1"),
                Optional.empty(),
                Optional.of(value),
                Optional.of(nic)),
            cloud.now());
  }

  @Test
  @DisplayName("If-None-Match: * lets a write make a resource and change none")
  void ifNoneMatch() {
    Document before = cloud.nic();
    for (String path : List.of(NIC, Cloud.INSTANCE_0)) {
      assertThat(refusal(unlessExists("PUT", path, "*"))).isEqualTo("412 PreconditionFailed");
    }
    assertThat(refusal(unlessExists("DELETE", NIC, "*"))).isEqualTo("412 PreconditionFailed");
    assertThat(refusal(unlessExists("PUT", NIC + "-2", "W/\"1\"")))
        .isEqualTo("400 InvalidRequestContent");
    assertThat(cloud.nic()).isEqualTo(before);
    assertThat(unlessExists("PUT", NIC + "-2", "*").status()).isEqualTo(201);
    assertThat(refusal(unlessExists("PUT", NIC + "-2", "*"))).isEqualTo("412 PreconditionFailed");
  }
}
