package io.tidemark.kubernetes.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.tidemark.cluster.lease.LeasePort.Claim;
import io.tidemark.cluster.lease.LeaseRecord;
import io.tidemark.cluster.lease.LeaseTiming;
import io.tidemark.resilience.LearnedRates;
import io.tidemark.resilience.LearnedRates.Estimate;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The lease on the wire")
class LeaseObjectTest {
  private static final long NOW_MILLIS = 1_700_000_000_123L;
  private static final ZonedDateTime NOW =
      ZonedDateTime.of(2023, 11, 14, 22, 13, 20, 123_000_000, ZoneOffset.UTC);
  private static final LearnedRates RATES =
      new LearnedRates(List.of(new Estimate("1/eu", "Attach", 1.5), new Estimate("", "Get", 20)));
  private static final Map<String, String> NOTES = Map.of("learned-rates", RATES.text());

  private static Lease bare() {
    return new LeaseBuilder()
        .withNewMetadata()
        .withName("l")
        .withUid("u")
        .withResourceVersion("7")
        .endMetadata()
        .build();
  }

  private static Claim claim(String holder, boolean began) {
    return new Claim(holder, LeaseTiming.USUAL, began, 3, NOTES);
  }

  @Test
  @DisplayName("what is claimed is read back, notes included")
  void roundTrip() {
    LeaseRecord record =
        LeaseObject.record(LeaseObject.claimed(bare(), claim("me", true), NOW_MILLIS));
    assertThat(record)
        .isEqualTo(
            new LeaseRecord(
                "u",
                "7",
                "me",
                Duration.ofSeconds(15),
                NOW.toString(),
                3,
                Optional.empty(),
                NOTES));
  }

  @Test
  @DisplayName("a new holder writes when it began, a renewal does not")
  void acquireTime() {
    Lease taken = LeaseObject.claimed(bare(), claim("me", true), NOW_MILLIS);
    assertThat(taken.getSpec().getAcquireTime()).isEqualTo(NOW);
    Lease renewed = LeaseObject.claimed(taken, claim("me", false), NOW_MILLIS + 2_000);
    assertThat(renewed.getSpec().getAcquireTime()).isEqualTo(NOW);
    assertThat(renewed.getSpec().getRenewTime()).isEqualTo(NOW.plusSeconds(2));
  }

  @Test
  @DisplayName("a lease that is given back has no holder and ends after a second")
  void released() {
    Lease released = LeaseObject.claimed(bare(), claim("", false), NOW_MILLIS);
    assertThat(released.getSpec().getHolderIdentity()).isEmpty();
    assertThat(released.getSpec().getLeaseDurationSeconds()).isEqualTo(1);
    assertThat(released.getSpec().getAcquireTime()).isNull();
  }

  @Test
  @DisplayName("what others wrote into the object stays")
  void othersStay() {
    Lease theirs =
        new LeaseBuilder(bare())
            .editMetadata()
            .addToLabels("team", "net")
            .addToAnnotations("note", "keep")
            .endMetadata()
            .withNewSpec()
            .withStrategy("OldestEmulationVersion")
            .endSpec()
            .build();
    Lease claimed = LeaseObject.claimed(theirs, claim("me", true), NOW_MILLIS);
    assertThat(claimed.getMetadata().getLabels()).containsEntry("team", "net");
    assertThat(claimed.getMetadata().getAnnotations()).containsEntry("note", "keep");
    assertThat(claimed.getSpec().getStrategy()).isEqualTo("OldestEmulationVersion");
  }

  @Test
  @DisplayName("a lease without content is nobody's and over")
  void empty() {
    LeaseRecord record = LeaseObject.record(bare());
    assertThat(record.holder()).isEmpty();
    assertThat(record.lease()).isZero();
    assertThat(record.transitions()).isZero();
    assertThat(record.notes()).isEmpty();
  }

  @Test
  @DisplayName("notes have the annotations and the text that earlier releases read and write")
  void wire() {
    Lease claimed = LeaseObject.claimed(bare(), claim("me", true), NOW_MILLIS);
    assertThat(claimed.getMetadata().getAnnotations())
        .containsExactly(
            Map.entry("tidemark.io/learned-rates", "1/eu\tAttach\t1.5\n\tGet\t20.0\n"));
    Lease theirs =
        new LeaseBuilder(bare())
            .editMetadata()
            .addToAnnotations("tidemark.io/learned-rates", "1/eu\tAttach\t1.5\n\tGet\t20.0\n")
            .addToAnnotations("example.org/other", "text")
            .endMetadata()
            .build();
    assertThat(LeaseObject.record(theirs).notes()).isEqualTo(NOTES);
  }

  @Test
  @DisplayName("a note that this leader does not write stays for those who read it")
  void foreignNotes() {
    Lease before =
        LeaseObject.claimed(
            bare(),
            new Claim("other", LeaseTiming.USUAL, true, 1, Map.of("frontier", "7")),
            NOW_MILLIS);
    assertThat(
            LeaseObject.record(LeaseObject.claimed(before, claim("me", true), NOW_MILLIS)).notes())
        .containsEntry("frontier", "7")
        .containsEntry("learned-rates", RATES.text());
  }

  @Test
  @DisplayName("was last written when the newest of its fields was, by the server's clock")
  void writtenAt() {
    Lease lease =
        new LeaseBuilder(bare())
            .editMetadata()
            .addNewManagedField()
            .withManager("one")
            .withTime("2023-11-14T22:13:20Z")
            .endManagedField()
            .addNewManagedField()
            .withManager("two")
            .withTime("2023-11-14T22:13:25Z")
            .endManagedField()
            .addNewManagedField()
            .withManager("three")
            .withTime("yesterday")
            .endManagedField()
            .addNewManagedField()
            .withManager("four")
            .endManagedField()
            .endMetadata()
            .build();
    assertThat(LeaseObject.record(lease).writtenAt())
        .contains(Instant.parse("2023-11-14T22:13:25Z"));
    assertThat(LeaseObject.record(bare()).writtenAt()).isEmpty();
  }
}
