package io.tidemark.daemon.inspect;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.tidemark.daemon.inspect.CheckpointInspection.Cooling;
import io.tidemark.daemon.inspect.CheckpointInspection.Entry;
import io.tidemark.datastore.checkpoint.CheckpointData.Extension;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Prints an inspection for programs. */
public final class InspectionJson {
  private InspectionJson() {}

  /** One document, with its line break. */
  public static String print(CheckpointInspection inspection) {
    StringWriter out = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
      json.writeStartObject();
      json.writeStringField("file", inspection.file().toString());
      file(json, "current", inspection.current());
      file(json, "previous", inspection.previous());
      json.writeArrayFieldStart("entries");
      for (Entry each : inspection.entries()) {
        entry(json, each);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("cooling");
      for (Cooling each : inspection.cooling()) {
        json.writeStartObject();
        json.writeStringField("address", each.address().toString());
        json.writeStringField("released", InspectionText.time(each.releasedEpochNanos()));
        json.writeNumberField("leftSeconds", each.left().toSeconds());
        json.writeEndObject();
      }
      json.writeEndArray();
      texts(json, "beside", inspection.beside());
      texts(json, "restart", inspection.restart());
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("texts and numbers can be written to memory", e);
    }
    return out + "\n";
  }

  private static void texts(JsonGenerator json, String name, List<String> texts)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (String each : texts) {
      json.writeString(each);
    }
    json.writeEndArray();
  }

  private static void file(JsonGenerator json, String name, FileContent content)
      throws IOException {
    json.writeObjectFieldStart(name);
    if (content instanceof FileContent.Absent) {
      json.writeStringField("state", "absent");
    } else if (content instanceof FileContent.Unreadable unreadable) {
      json.writeStringField("state", "damaged");
      json.writeStringField("code", unreadable.problem().code().label());
      json.writeStringField("name", unreadable.problem().code().name());
      json.writeStringField("position", unreadable.position());
      json.writeStringField("problem", unreadable.problem().detail());
      json.writeStringField("remedy", unreadable.problem().code().remedy());
    } else if (content instanceof FileContent.Whole readable) {
      json.writeStringField("state", "readable");
      json.writeNumberField("bytes", readable.bytes());
      json.writeNumberField("assignments", readable.data().allocations().size());
      json.writeStringField("checksum", readable.checksummed() ? "right" : "none");
      Optional<Extension> extension = readable.data().extension();
      if (extension.isPresent()) {
        json.writeNumberField("generation", extension.get().generation());
        json.writeStringField("bootId", extension.get().bootId());
      }
    }
    json.writeEndObject();
  }

  private static void entry(JsonGenerator json, Entry entry) throws IOException {
    json.writeStartObject();
    json.writeStringField("address", entry.address().toString());
    json.writeStringField("state", entry.state().name().toLowerCase(Locale.ROOT));
    json.writeStringField("podNamespace", entry.entry().metadata().podNamespace());
    json.writeStringField("podName", entry.entry().metadata().podName());
    json.writeStringField("since", InspectionText.time(entry.entry().epochNanos()));
    json.writeBooleanField("fromRuntime", entry.fromRuntime());
    json.writeEndObject();
  }
}
