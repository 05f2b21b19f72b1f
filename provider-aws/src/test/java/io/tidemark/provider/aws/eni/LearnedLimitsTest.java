package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.InstanceId;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An instance that EC2 called full")
class LearnedLimitsTest {
  private static final InstanceId ID = new InstanceId("i-1");
  private static final List<AwsEni> ONE = List.of(Samples.eni(0, 0, 0));
  private static final List<AwsEni> TWO = List.of(Samples.eni(0, 0, 0), Samples.eni(1, 0, 0));

  private final VirtualTime time = new VirtualTime(0);
  private final LearnedLimits limits = new LearnedLimits(time);

  private void pass(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
  }

  @Test
  @DisplayName("gets no further interface until what is attached has changed")
  void untilChanged() {
    limits.refused(ID, ONE);
    assertThat(limits.of(ID, ONE)).hasValue(1);
    assertThat(limits.of(ID, TWO)).isEmpty();
    assertThat(limits.of(ID, ONE)).isEmpty();
  }

  @Test
  @DisplayName("is tried again after five minutes, then ten, then twenty")
  void triedAgain() {
    for (int minutes : new int[] {5, 10, 20}) {
      limits.refused(ID, ONE);
      pass(Duration.ofMinutes(minutes).minusSeconds(1));
      assertThat(limits.of(ID, ONE)).as("%s minutes", minutes).hasValue(1);
      pass(Duration.ofSeconds(1));
      assertThat(limits.of(ID, ONE)).as("%s minutes", minutes).isEmpty();
    }
  }

  private void refusedAgain(List<AwsEni> attached, int times) {
    for (int i = 0; i < times; i++) {
      limits.refused(ID, attached);
    }
  }

  @Test
  @DisplayName("is tried again after less than six hours, however often it was refused")
  void longestPause() {
    refusedAgain(ONE, 100);
    pass(Duration.ofMinutes(319));
    assertThat(limits.of(ID, ONE)).hasValue(1);
    pass(Duration.ofMinutes(1));
    assertThat(limits.of(ID, ONE)).isEmpty();
  }

  @Test
  @DisplayName("is tried again after five minutes when other interfaces are attached than before")
  void otherInterfaces() {
    refusedAgain(ONE, 3);
    limits.refused(ID, TWO);
    pass(Duration.ofMinutes(5));
    assertThat(limits.of(ID, TWO)).isEmpty();
  }

  @Test
  @DisplayName("has as many as it has on its first card, in whatever order they are shown")
  void firstCard() {
    AwsEni onOtherCard = Samples.of(Samples.eni(2, 0, 0), AwsEni.Kind.ORDINARY, 1);
    List<AwsEni> all = List.of(TWO.get(0), TWO.get(1), onOtherCard);
    limits.refused(ID, all);
    assertThat(limits.of(ID, List.of(onOtherCard, TWO.get(1), TWO.get(0)))).hasValue(2);
    limits.forget(ID);
    assertThat(limits.of(ID, all)).isEmpty();
  }
}
