package io.tidemark.cluster;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.tidemark.resource.ParsedResource;
import io.tidemark.resource.ReceivedObject;
import io.tidemark.resource.ResourceProblem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/** Reads a {@code v1 Node} as JSON; what a {@link ClusterNode} does not say is passed over. */
public final class ClusterNodeJson {
  /**
   * Names of fields are not remembered: those of {@code managedFields} hold the CIDRs, so a table
   * of them would grow with the cluster, and is copied when a name is added.
   */
  private static final JsonFactory FACTORY =
      JsonFactory.builder().disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES).build();

  private ClusterNodeJson() {}

  /**
   * Reads one object.
   *
   * @param where the file or other place of the object, for problems
   */
  public static ParsedResource<ClusterNode> parse(String text, String where) {
    try {
      return receive(text, where).parsed();
    } catch (JsonProcessingException e) {
      String problem = "the text is not valid JSON: " + e.getOriginalMessage();
      return new ParsedResource.Invalid<>(
          Optional.empty(),
          List.of(new ResourceProblem(where, "", problem, "Mend or replace the text.")));
    } catch (IOException e) {
      throw new UncheckedIOException("a string cannot fail to be read", e);
    }
  }

  /**
   * Reads the text of an answer.
   *
   * @param where the place of the object, for problems
   * @throws IOException when it is no JSON
   */
  public static ReceivedObject<ClusterNode> receive(String text, String where) throws IOException {
    try (JsonParser parser = FACTORY.createParser(text)) {
      return receive(parser, where);
    }
  }

  /**
   * Reads the object at the current position of {@code parser}, or at its next one; ends on its
   * last token.
   *
   * @param where the place of the object, for problems
   * @throws IOException when the stream ends or its text is no JSON
   */
  public static ReceivedObject<ClusterNode> receive(JsonParser parser, String where)
      throws IOException {
    if (parser.currentToken() == null) {
      parser.nextToken();
    }
    return new ClusterNodeFieldsJson(parser, where).read();
  }
}
