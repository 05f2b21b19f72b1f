package io.tidemark.provider.azure.network;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import io.tidemark.emulator.arm.http.ArmHandler;
import io.tidemark.time.TimeSource;
import java.net.URI;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A way to an emulator on which answers are spoilt, each in a way that the seed chooses. */
public final class CorruptingTransport implements BlockingConnection {
  /** The change of an answer. */
  public enum Corruption {
    /** The text ends anywhere. */
    TRUNCATED,
    /** A page for browsers with status 200. */
    HTML,
    /** Nothing at all. */
    EMPTY,
    /** A list where an object is expected. */
    ANOTHER_ROOT,
    /** Texts become numbers. */
    NUMBERS_FOR_TEXTS,
    /** Objects become texts. */
    TEXTS_FOR_OBJECTS,
    /** Lists become null. */
    NULL_FOR_LISTS,
    /** Etags are missing. */
    NO_ETAGS,
    /** Ids are missing. */
    NO_IDS,
    /** Names are empty. */
    EMPTY_NAMES,
    /** Numbers are larger than any type. */
    HUGE_NUMBERS,
    /** An object within an object, thousands of times. */
    DEEP,
    /** Ids are spelled in upper case. */
    UPPER_CASE,
    /** Addresses are none. */
    NO_ADDRESSES,
    /** Operations and next pages are at another host. */
    FOREIGN_HOST,
    /** An operation's address is no address. */
    NO_URL,
    /** A pause that is no number, or as long as a life. */
    WRONG_PAUSE,
    /** A status that nobody expects. */
    ODD_STATUS,
    /** A state that nobody knows. */
    UNKNOWN_STATE
  }

  private final EmulatorTransport genuine;
  private final SplittableRandom random;
  private final BooleanSupplier spoils;
  private final Map<Corruption, Integer> counts;

  private CorruptingTransport(
      ArmHandler handler, long seed, BooleanSupplier spoils, Map<Corruption, Integer> counts) {
    this.genuine = new EmulatorTransport(handler);
    this.random = new SplittableRandom(seed);
    this.spoils = spoils;
    this.counts = counts;
  }

  /** How often each was done; for all doors that share it. */
  public static Map<Corruption, Integer> newCounts() {
    return new EnumMap<>(Corruption.class);
  }

  /**
   * The product's pipeline over it.
   *
   * @param spoils whether the answer at hand is spoilt
   * @param counts is counted up
   */
  public static ArmApi api(
      ArmHandler handler,
      Supplier<String> token,
      TimeSource time,
      long seed,
      BooleanSupplier spoils,
      Map<Corruption, Integer> counts) {
    return ArmDoors.api(
        new CorruptingTransport(handler, seed, spoils, counts),
        URI.create(ArmDoors.ORIGIN),
        token,
        time);
  }

  @Override
  public HttpResponse sendSync(HttpRequest request, Context context) {
    HttpResponse answer = genuine.sendSync(request, context);
    if (!spoils.getAsBoolean()) {
      return answer;
    }
    Corruption how = Corruption.values()[random.nextInt(Corruption.values().length)];
    counts.merge(how, 1, Integer::sum);
    return spoilt(request, answer, how);
  }

  private HttpResponse spoilt(HttpRequest request, HttpResponse answer, Corruption how) {
    String body = answer.getBodyAsBinaryData().toString();
    HttpHeaders headers = new HttpHeaders(answer.getHeaders());
    int status = answer.getStatusCode();
    switch (how) {
      case TRUNCATED -> body = body.substring(0, random.nextInt(body.length() + 1));
      case HTML -> body = "<html><body>Bad gateway</body></html>";
      case EMPTY -> body = "";
      case ANOTHER_ROOT -> body = "[" + body + "]";
      case NUMBERS_FOR_TEXTS -> body = body.replaceAll(":\"[^\"]*\"", ":7");
      case TEXTS_FOR_OBJECTS ->
          body =
              body.replaceAll("\"(properties|subnet|instanceView)\":\\{", "\"$1\":\"x\",\"y\":{");
      case NULL_FOR_LISTS -> body = body.replaceAll("\\[[^\\[\\]]*]", "null");
      case NO_ETAGS -> body = body.replaceAll("\"etag\":\"(?:[^\"\\\\]|\\\\.)*\"", "\"x\":0");
      case NO_IDS -> body = body.replaceAll("\"id\":\"[^\"]*\"", "\"x\":0");
      case EMPTY_NAMES -> body = body.replaceAll("\"name\":\"[^\"]*\"", "\"name\":\"\"");
      case HUGE_NUMBERS -> body = body.replaceAll(":[0-9]+", ":" + "9".repeat(400));
      case DEEP -> body = "{\"a\":".repeat(5_000) + "1" + "}".repeat(5_000);
      case UPPER_CASE -> body = body.replaceAll("(?i)/resourcegroups/", "/RESOURCEGROUPS/");
      case NO_ADDRESSES ->
          body = body.replaceAll("\"privateIPAddress\":\"[^\"]*\"", "\"privateIPAddress\":\"?\"");
      case FOREIGN_HOST -> {
        body = body.replace(ArmDoors.ORIGIN, "https://elsewhere.example");
        for (String name : List.of("Azure-AsyncOperation", "Location")) {
          String url = headers.getValue(HttpHeaderName.fromString(name));
          if (url != null) {
            headers.set(
                HttpHeaderName.fromString(name),
                url.replace(ArmDoors.ORIGIN, "https://elsewhere.example"));
          }
        }
      }
      case NO_URL ->
          headers.set(HttpHeaderName.fromString("Azure-AsyncOperation"), "ht tp://[?s=secret");
      case WRONG_PAUSE ->
          headers.set(
              HttpHeaderName.fromString("Retry-After"),
              random.nextBoolean() ? "soon" : "99999999999999999999");
      case ODD_STATUS -> status = List.of(204, 304, 418, 599).get(random.nextInt(4));
      case UNKNOWN_STATE ->
          body =
              body.replaceAll("\"(provisioningState|status)\":\"[^\"]*\"", "\"$1\":\"Levitating\"");
    }
    return new TextResponse(request, status, headers, body);
  }
}
