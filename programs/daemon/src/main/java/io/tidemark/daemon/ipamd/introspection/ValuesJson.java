package io.tidemark.daemon.ipamd.introspection;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;

/** Settings and lists by their names: flags, numbers, texts and lists of texts. */
final class ValuesJson {
  private ValuesJson() {}

  static String print(Map<String, ?> values) {
    return new ObjectMapper().valueToTree(values).toString();
  }
}
