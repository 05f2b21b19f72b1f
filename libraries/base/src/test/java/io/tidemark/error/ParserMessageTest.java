package io.tidemark.error;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The message of a parser")
class ParserMessageTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          Invalid value for option '--port': 'http' is not an int | Invalid value for option '--port': 'http' is not a whole number
          Invalid value for option '--seed' (S): 'x' is not a long  | Invalid value for option '--seed' (S): 'x' is not a whole number
          Invalid value for option '--rate': 'x' is not a double.   | Invalid value for option '--rate': 'x' is not a number
          'x' is not an integral part                               | 'x' is not an integral part
          """)
  @DisplayName("names numbers as people do")
  void plain(String message, String words) {
    assertThat(ParserMessage.plain(message)).isEqualTo(words);
  }
}
