package io.tidemark.datastore.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The patch of a content")
class ContentPatchTest {
  private static byte[] random(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      text.append("{}ab,".charAt(random.nextInt(5))).append('{').append(random.nextInt(4));
    }
    return text.toString().getBytes(UTF_8);
  }

  @Test
  @DisplayName("D126 It makes the new content from the old one, and from no other")
  void roundTrip() {
    Random random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      byte[] before = random(random);
      byte[] after = random(random);
      byte[] patch = ContentPatch.between(before, after);
      assertThat(ContentPatch.applied(before, patch)).hasValue(after);
      byte[] other = random(random);
      ContentPatch.applied(other, patch).ifPresent(made -> assertThat(made).isEqualTo(after));
    }
  }

  @Test
  @DisplayName("D126 Bytes that are no patch make nothing, and no exception")
  void noPatch() {
    Random random = new Random(2);
    byte[] before = "{a{b{c".getBytes(UTF_8);
    byte[] good = ContentPatch.between(before, "{a{x{c{b".getBytes(UTF_8));
    for (int length = 0; length < good.length; length++) {
      assertThat(ContentPatch.applied(before, Arrays.copyOf(good, length))).isEmpty();
    }
    for (int i = 0; i < 20_000; i++) {
      byte[] bad = good.clone();
      bad[random.nextInt(bad.length)] ^= (byte) (1 + random.nextInt(255));
      ContentPatch.applied(before, bad)
          .ifPresent(made -> assertThat(made).isEqualTo("{a{x{c{b".getBytes(UTF_8)));
    }
  }
}
