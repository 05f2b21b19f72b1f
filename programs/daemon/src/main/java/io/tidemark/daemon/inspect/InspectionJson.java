package io.tidemark.daemon.inspect;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.daemon.inspect.CheckpointInspection.Cooling;
import io.tidemark.daemon.inspect.CheckpointInspection.Entry;
import java.util.Locale;

/** Prints an inspection for programs. */
public final class InspectionJson {
  private InspectionJson() {}

  /** One document, with its line break. */
  public static String print(CheckpointInspection inspection) {
    ObjectNode json =
        JsonNodeFactory.instance.objectNode().put("file", inspection.file().toString());
    put(json.putObject("current"), inspection.current());
    put(json.putObject("previous"), inspection.previous());
    ArrayNode entries = json.putArray("entries");
    inspection.entries().forEach(each -> put(entries.addObject(), each));
    ArrayNode cooling = json.putArray("cooling");
    for (Cooling each : inspection.cooling()) {
      ObjectNode entry = cooling.addObject();
      entry.put("address", each.address().toString());
      entry.put("released", InspectionText.time(each.releasedEpochNanos()));
      entry.put("leftSeconds", each.left().toSeconds());
    }
    inspection.beside().forEach(json.putArray("beside")::add);
    inspection.restart().forEach(json.putArray("restart")::add);
    return json + "\n";
  }

  private static void put(ObjectNode json, FileContent content) {
    if (content instanceof FileContent.Absent) {
      json.put("state", "absent");
    } else if (content instanceof FileContent.Unreadable unreadable) {
      json.put("state", "damaged");
      json.put("code", unreadable.problem().code().label());
      json.put("name", unreadable.problem().code().name());
      json.put("position", unreadable.position());
      json.put("problem", unreadable.problem().detail());
      json.put("remedy", unreadable.problem().code().remedy());
    } else if (content instanceof FileContent.Whole readable) {
      json.put("state", "readable");
      json.put("bytes", readable.bytes());
      json.put("assignments", readable.data().allocations().size());
      json.put("checksum", readable.checksummed() ? "right" : "none");
      readable
          .data()
          .extension()
          .ifPresent(it -> json.put("generation", it.generation()).put("bootId", it.bootId()));
    }
  }

  private static void put(ObjectNode json, Entry entry) {
    json.put("address", entry.address().toString());
    json.put("state", entry.state().name().toLowerCase(Locale.ROOT));
    json.put("podNamespace", entry.entry().metadata().podNamespace());
    json.put("podName", entry.entry().metadata().podName());
    json.put("since", InspectionText.time(entry.entry().epochNanos()));
    json.put("fromRuntime", entry.fromRuntime());
  }
}
