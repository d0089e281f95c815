import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.LexerInterpreter;
import org.antlr.v4.runtime.ParserInterpreter;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.tool.ANTLRMessage;
import org.antlr.v4.tool.ANTLRToolListener;
import org.antlr.v4.tool.Grammar;
import org.antlr.v4.tool.LexerGrammar;

/**
 * Tells which texts ANTLR's interpreter accepts: the lines of the input are a text in base 64 each, and those of the output `accept` or `reject`.
 *
 * <p>java -cp antlr4-complete.jar AntlrTexts.java GRAMMAR [LEXER] START
 */
public final class AntlrTexts {
    public static void main(String[] arguments) throws Exception {
        String start = arguments[arguments.length - 1];
        Grammar grammar;
        LexerGrammar lexer = null;
        if (arguments.length == 3) {
            lexer = (LexerGrammar) Grammar.load(arguments[1]);
            // The tokens come from the lexer's grammar, and from no file that ANTLR would have written for it.
            String text = Files.readString(Path.of(arguments[0])).replaceFirst("tokenVocab\\s*=\\s*\\w+\\s*;", "");
            grammar = new Grammar(arguments[0], text, lexer, new ANTLRToolListener() {
                @Override
                public void info(String message) {}

                @Override
                public void error(ANTLRMessage message) {}

                @Override
                public void warning(ANTLRMessage message) {}
            });
        } else {
            grammar = Grammar.load(arguments[0]);
        }
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line; (line = input.readLine()) != null; ) {
            String text = new String(Base64.getDecoder().decode(line), StandardCharsets.UTF_8);
            System.out.println(accepts(grammar, lexer, start, text) ? "accept" : "reject");
        }
    }

    private static boolean accepts(Grammar grammar, LexerGrammar lexer, String start, String text) {
        boolean[] failed = {false};
        BaseErrorListener listener = new BaseErrorListener() {
            @Override
            public void syntaxError(Recognizer<?, ?> recognizer, Object symbol, int line, int column, String message, RecognitionException error) {
                failed[0] = true;
            }
        };
        LexerInterpreter tokens = (lexer == null ? grammar : lexer).createLexerInterpreter(CharStreams.fromString(text));
        tokens.removeErrorListeners();
        tokens.addErrorListener(listener);
        CommonTokenStream stream = new CommonTokenStream(tokens);
        ParserInterpreter parser = grammar.createParserInterpreter(stream);
        parser.removeErrorListeners();
        parser.addErrorListener(listener);
        parser.parse(grammar.getRule(start).index);
        return !failed[0] && stream.LA(1) == Token.EOF;
    }
}
