package io.tidemark.datastore.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.CloudPart;
import io.tidemark.ip.Cidr;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is remembered of parts that came, went or are missing")
class ReadLagHistoryTest {
  private static final CloudPart ADDRESS = CloudPart.of("eni-1", Cidr.parse("10.0.0.7/32"));
  private static final CloudPart OTHER = CloudPart.of("eni-2", Cidr.parse("10.0.0.8/32"));

  private final ReadLagHistory history = new ReadLagHistory();

  private static long at(int seconds) {
    return Duration.ofSeconds(seconds).toNanos();
  }

  @Test
  @DisplayName("D100 A part that left and came back is here, and its interface lacks nothing")
  void cameBack() {
    history.left(ADDRESS, at(0));
    assertThat(history.mayBeHere(ADDRESS, at(1))).isFalse();
    assertThat(history.hasLostParts("eni-1")).isTrue();
    history.changed(ADDRESS, at(2));
    assertThat(history.mayBeHere(ADDRESS, at(3))).isTrue();
    assertThat(history.hasLostParts("eni-1")).isFalse();
  }

  @Test
  @DisplayName("D100 An interface lacks what has left it, until a read began a minute after that")
  void lostParts() {
    history.left(ADDRESS, at(0));
    assertThat(history.hasLostParts("eni-2")).as("of another interface").isFalse();
    history.missing(Set.of(), at(60));
    assertThat(history.hasLostParts("eni-1")).isTrue();
    assertThat(history.mayBeHere(ADDRESS, at(60))).isFalse();
    history.missing(Set.of(), at(61));
    assertThat(history.hasLostParts("eni-1")).isFalse();
    assertThat(history.mayBeHere(ADDRESS, at(61))).isTrue();
  }

  @Test
  @DisplayName("D101 A part is missing since the first of the answers in a row that lack it")
  void missing() {
    history.missing(Set.of(ADDRESS), at(0));
    history.missing(Set.of(ADDRESS, OTHER), at(20));
    assertThat(history.wasMissing(ADDRESS, at(29))).isFalse();
    assertThat(history.wasMissing(ADDRESS, at(30))).isTrue();
    assertThat(history.wasMissing(OTHER, at(30))).isFalse();
    history.missing(Set.of(OTHER), at(40));
    history.missing(Set.of(ADDRESS, OTHER), at(60));
    assertThat(history.wasMissing(ADDRESS, at(60))).as("shown in between").isFalse();
  }

  @Test
  @DisplayName("D123 A request about a part, and its end, make earlier answers count no more")
  void overtaken() {
    history.missing(Set.of(ADDRESS, OTHER), at(0));
    history.changed(ADDRESS, at(10));
    assertThat(history.wasMissing(ADDRESS, at(40))).isFalse();
    assertThat(history.isKnown(ADDRESS, at(39))).isFalse();
    assertThat(history.isKnown(ADDRESS, at(40))).isTrue();
    assertThat(history.isInDoubt()).as("because of the other one").isTrue();
    history.left(OTHER, at(11));
    assertThat(history.isInDoubt()).isFalse();
  }
}
