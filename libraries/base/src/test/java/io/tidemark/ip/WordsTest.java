package io.tidemark.ip;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Numbers of two words are those of BigInteger")
class WordsTest {
  private static final BigInteger TWO_TO_128 = BigInteger.ONE.shiftLeft(128);

  private static BigInteger number(long high, long low) {
    return unsigned(high).shiftLeft(64).or(unsigned(low));
  }

  private static BigInteger unsigned(long word) {
    return new BigInteger(Long.toUnsignedString(word));
  }

  @Test
  @DisplayName("ones and shifts of each distance from 0 to 128")
  void everyDistance() {
    Seeds.forEach(
        1,
        200,
        random -> {
          long value = Seeds.bits(random);
          for (int distance = 0; distance <= 128; distance++) {
            assertThat(number(Words.highOnes(distance), Words.lowOnes(distance)))
                .as("%d ones", distance)
                .isEqualTo(BigInteger.ONE.shiftLeft(distance).subtract(BigInteger.ONE));
            assertThat(
                    number(Words.highShifted(value, distance), Words.lowShifted(value, distance)))
                .as("%s << %d", Long.toUnsignedString(value), distance)
                .isEqualTo(unsigned(value).shiftLeft(distance).mod(TWO_TO_128));
            long high = Seeds.bits(random);
            assertThat(
                    number(
                        Words.highShiftedRight(high, distance),
                        Words.lowShiftedRight(high, value, distance)))
                .as("%s >>> %d", number(high, value), distance)
                .isEqualTo(number(high, value).shiftRight(distance));
          }
        });
  }

  @Test
  @DisplayName("their order, by the upper word first")
  void order() {
    Seeds.forEach(
        1_000_000,
        20_000,
        random -> {
          long high = Seeds.bits(random);
          long low = Seeds.bits(random);
          long otherHigh = random.nextBoolean() ? high : Seeds.bits(random);
          long otherLow = random.nextBoolean() ? low : Seeds.bits(random);
          assertThat(Integer.signum(Words.compare(high, low, otherHigh, otherLow)))
              .isEqualTo(number(high, low).compareTo(number(otherHigh, otherLow)));
        });
  }
}
